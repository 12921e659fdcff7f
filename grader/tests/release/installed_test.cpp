// What `cmake --install` makes: whole, without paths of this machine, and graded with from another folder.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "installation.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

/// One installation, the same for all test cases. It was moved after it was installed: nothing in it knows its place.
struct Installation {
  explicit Installation(const std::string& component) {
    REQUIRE(install(component, folder.path() / "first").exit_code == 0);
    fs::rename(folder.path() / "first", prefix);
    fs::create_directory(home);
  }
  std::string program(const std::string& name) const { return (prefix / "bin" / name).string(); }
  ProgramRun grade(const std::vector<std::string>& words, const fs::path& in) const {
    std::vector<std::string> all{program("cudalabs-grade")};
    all.insert(all.end(), words.begin(), words.end());
    ProgramRun run = run_bare(all, in, home);
    UNSCOPED_INFO(run.out << run.err);
    return run;
  }

  TemporaryFolder folder{"installed"};
  fs::path prefix = folder.path() / "moved";
  fs::path home = folder.path() / "home";
};

const Installation& students() {
  static const Installation installation("student");
  return installation;
}
const Installation& instructors() {
  static const Installation installation("");
  return installation;
}

std::vector<std::string> words_with(const std::string& text, const std::string& begin) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    while (!word.empty() && (word.back() == ',' || word.back() == ';')) word.pop_back();
    if (word.starts_with(begin)) words.push_back(word);
  }
  return words;
}

}  // namespace

TEST_CASE("students' installation has no solution, no hidden case, and no path of the build") {
  const Secrets secrets = secrets_in(students().prefix);
  for (const std::string& each : secrets.found) FAIL_CHECK(each);
  CHECK(secrets.files > 50);
  for (const char* name : {"solutions", "docs/RUN_A_COURSE.md"}) {
    CAPTURE(name);
    CHECK_FALSE(fs::exists(students().prefix / "share/cudalabs" / name));
  }
}

TEST_CASE(
    "students' installation has the figures that handouts show, and no others: one of the slides may have an answer") {
  const fs::path data = students().prefix / "share/cudalabs";
  std::string handouts;
  for (const fs::directory_entry& lab : fs::directory_iterator(data / "labs"))
    handouts += read_file(lab.path() / "README.md");
  unsigned figures = 0;
  for (const fs::directory_entry& figure : fs::directory_iterator(data / "slides/figures")) {
    CAPTURE(figure.path().filename().string());
    ++figures;
    CHECK(handouts.find("slides/figures/" + figure.path().filename().string()) != std::string::npos);
  }
  CHECK(figures >= 5);
  for (std::size_t at = 0; (at = handouts.find("../../slides/figures/", at)) != std::string::npos; ++at) {
    const std::string link = handouts.substr(at + 6, handouts.find_first_of(")\"", at) - at - 6);
    CAPTURE(link);
    CHECK(fs::exists(data / link));
  }
}

TEST_CASE("the search for secrets finds them: instructors' installation has all solutions") {
  const Secrets secrets = secrets_in(instructors().prefix);
  CHECK(secrets.found.size() > 100);
  for (const std::string& each : build_paths_in(instructors().prefix).found) FAIL_CHECK(each);
}

TEST_CASE("a student starts in an empty folder, and grades the file there") {
  const TemporaryFolder work;
  CHECK(students().grade({"list"}, work.path()).exit_code == 0);
  const ProgramRun missing = students().grade({"lab3"}, work.path());
  CHECK(missing.exit_code == 2);
  CHECK(missing.err.find("cudalabs-grade start lab3") != std::string::npos);

  const ProgramRun started = students().grade({"start", "lab3"}, work.path());
  REQUIRE(started.exit_code == 0);
  CHECK(started.out.find("then: cudalabs-grade lab3\n") != std::string::npos);
  CHECK(fs::exists(work.path() / "matmul.h"));
  CHECK(students().grade({"start", "lab3"}, work.path()).exit_code == 2);

  const ProgramRun graded =
      students().grade({"lab3", "--submission", "matmul.cu", "--json", "report.json"}, work.path());
  CHECK(graded.exit_code == 1);
  CHECK(graded.survivors == 0);
  CHECK(graded.out.find("./grade") == std::string::npos);
  const auto report = nlohmann::json::parse(read_file(work.path() / "report.json"));
  CHECK(report.at("checks").at(0).at("status") == "passed");
  CHECK(report.at("score").at("points") < report.at("score").at("max"));
  CHECK(fs::is_directory(students().home / ".cache/cudalabs"));
  CHECK(students().grade({"lab3", "--solution"}, work.path()).exit_code == 2);
  CHECK(students().grade({"class", "lab3"}, work.path()).exit_code == 2);
}

TEST_CASE("instructors grade a solution, and have the command for classes") {
  const TemporaryFolder work;
  CHECK(instructors().grade({"lab3", "--solution"}, work.path()).exit_code == 0);
  CHECK(instructors().grade({"class", "--help"}, work.path()).exit_code == 0);
  CHECK(instructors().grade({"lint", "--no-grading"}, work.path()).exit_code == 0);
}

TEST_CASE("the virtual GPU's own program finds what it needs") {
  const ProgramRun run = run_bare({students().program("cudalabs-vgpu"), "models"}, students().home, students().home);
  CHECK(run.exit_code == 0);
  CHECK(run.out.find("t4") != std::string::npos);
  CHECK(fs::exists(students().prefix / "lib/cudalabs/shared/libcudart.so.13"));
  CHECK(fs::exists(students().prefix / "lib/cmake/cudalabs-vgpu/cudalabs-vgpu-config.cmake"));
}

TEST_CASE("a file that is missing from an installation is named, and is no student's fault") {
  Installation broken("student");
  fs::remove(broken.prefix / "lib/cudalabs/libcudalabs_harness.a");
  const TemporaryFolder work;
  REQUIRE(broken.grade({"start", "lab3"}, work.path()).exit_code == 0);
  const ProgramRun run = broken.grade({"lab3"}, work.path());
  CHECK(run.exit_code == 3);
  CHECK((run.out + run.err).find("libcudalabs_harness.a") != std::string::npos);
}

TEST_CASE("the manual has every command and every option of the help") {
  const ProgramRun help = instructors().grade({"--help"}, instructors().home);
  std::string manual = read_file(instructors().prefix / "share/man/man1/cudalabs-grade.1");
  std::erase(manual, '\\');
  for (const std::string& option : words_with(help.out, "--")) {
    CAPTURE(option);
    CHECK(manual.find(option) != std::string::npos);
  }
  const std::size_t list = help.out.find("Subcommands:\n");
  REQUIRE(list != std::string::npos);
  std::istringstream commands(help.out.substr(list));
  std::string line;
  std::getline(commands, line);
  unsigned count = 0;
  for (; std::getline(commands, line) && line.starts_with("  ");) {
    if (line[2] == ' ') continue;  // of the line before
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    CAPTURE(command);
    ++count;
    CHECK((manual.find(".BI " + command + " ") != std::string::npos ||
           manual.find(".B " + command + "\n") != std::string::npos));
  }
  CHECK(count >= 8);
}

TEST_CASE("bash completes commands, labs and options") {
  const fs::path script = students().prefix / "share/bash-completion/completions/cudalabs-grade";
  const auto completed = [&](const std::string& words, int at) {
    const std::string text =
        "source " + script.string() + "; COMP_WORDS=(cudalabs-grade " + words + ") COMP_CWORD=" + std::to_string(at) +
        "; _cudalabs_grade " + students().program("cudalabs-grade") +
        " \"${COMP_WORDS[$COMP_CWORD]}\" \"${COMP_WORDS[$COMP_CWORD-1]}\"; echo \"${COMPREPLY[*]}\"";
    return run_bare({"/bin/bash", "-c", text}, students().home, students().home).out;
  };
  CHECK(completed("st", 1) == "start\n");
  CHECK(completed("lab", 1) == "lab1 lab2 lab3 lab4 lab5 lab6\n");
  CHECK(completed("hint lab3", 2) == "lab3\n");
  CHECK(completed("lab3 --cov", 2) == "--coverage\n");
  CHECK(completed("lab3 --sandbox ''", 3) == "A B C D\n");
}
