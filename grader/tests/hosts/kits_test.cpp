// Kits for course hosts: made by the installed grader, unpacked as the host does, and their scripts run as the host
// runs them: another user, no network, nothing in the environment, read-only but for the host's own folders.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "host_rules.h"
#include "installation.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

const fs::path kSolutions = cudalabs::source_path("solutions/lab3_naive_matmul");

const std::string kPackage = "!<arch>\ndebian-binary   and what else stands in a package";

struct Machine {
  Machine() {
    REQUIRE(install("", prefix).exit_code == 0);
    // Kits only carry the package; what it installs is at hand.
    package = folder.write("cudalabs-student_1.0.0_amd64.deb", kPackage);
    instructors_package = folder.write("cudalabs_1.0.0_amd64.deb", kPackage);
  }
  TemporaryFolder folder{"kits"};
  fs::path prefix = folder.path() / "cudalabs", package, instructors_package;
};
const Machine& machine() {
  static const Machine made;
  return made;
}

/// A kit for lab3 in a folder of its own, and the host's folders beside it.
class HostRun {
 public:
  explicit HostRun(const std::string& host) {
    const ProgramRun made = run_bare({(machine().prefix / "bin/cudalabs-grade").string(), "kit", host, "lab3",
                                      "--package", machine().package.string(), "--out", kit().string()},
                                     folder_.path(), folder_.path());
    UNSCOPED_INFO(made.out << made.err);
    REQUIRE(made.exit_code == 0);
  }
  fs::path kit() const { return folder_.path() / "kit"; }
  fs::path at(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  void unpack(const std::string& archive, const std::string& into) const {
    fs::create_directories(at(into));
    REQUIRE(run_program({CUDALABS_CMAKE, "-E", "tar", "xf", (kit() / archive).string()}, at(into)).exit_code == 0);
  }
  /// Runs `words` in `folder`. `writable`: a folder here, and where the host has it. `broken`: the grader misses its
  /// parts.
  ProgramRun run(const std::vector<std::string>& words, const std::string& folder,
                 const std::vector<std::pair<std::string, std::string>>& writable,
                 const std::vector<std::pair<std::string, std::string>>& read_only = {}, bool broken = false,
                 const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> all{"/usr/bin/bwrap",
                                 "--unshare-all",
                                 "--die-with-parent",
                                 "--uid",
                                 "1000",
                                 "--gid",
                                 "1000",
                                 "--clearenv",
                                 "--setenv",
                                 "PATH",
                                 "/opt/cudalabs/bin:/usr/bin:/bin",
                                 "--setenv",
                                 "HOME",
                                 "/tmp",
                                 "--ro-bind",
                                 "/usr",
                                 "/usr",
                                 "--ro-bind",
                                 "/etc",
                                 "/etc",
                                 "--symlink",
                                 "usr/bin",
                                 "/bin",
                                 "--symlink",
                                 "usr/lib",
                                 "/lib",
                                 "--symlink",
                                 "usr/lib64",
                                 "/lib64",
                                 "--symlink",
                                 "usr/sbin",
                                 "/sbin",
                                 "--proc",
                                 "/proc",
                                 "--dev",
                                 "/dev",
                                 "--tmpfs",
                                 "/tmp",
                                 "--ro-bind",
                                 machine().prefix,
                                 "/opt/cudalabs"};
    for (const auto& [here, there] : read_only) all.insert(all.end(), {"--ro-bind", at(here).string(), there});
    for (const auto& [here, there] : writable) {
      fs::create_directories(at(here));
      all.insert(all.end(), {"--bind", at(here).string(), there});
    }
    if (broken) all.insert(all.end(), {"--tmpfs", "/opt/cudalabs/lib/cudalabs"});
    for (std::size_t i = 0; i + 1 < environment.size(); i += 2)
      all.insert(all.end(), {"--setenv", environment[i], environment[i + 1]});
    all.insert(all.end(), {"--chdir", folder});
    all.insert(all.end(), words.begin(), words.end());
    ProgramRun run = run_program(all, folder_.path());
    UNSCOPED_INFO(run.out << run.err);
    CHECK(run.survivors == 0);
    return run;
  }

 private:
  TemporaryFolder folder_{"host"};
};

/// A submission that loses a part of the points, and the points.
const std::string& submission() {
  static const std::string text = read_file(kSolutions / "wrong/guard_rows_only.cu");
  return text;
}
constexpr double kPoints = 55;

/// Nothing of a hidden case but that there is one.
void check_hidden(const std::string& text) {
  for (const char* secret : {"another square", "other prime sizes", "another strip", "83077"}) {
    CAPTURE(secret);
    CHECK(text.find(secret) == std::string::npos);
  }
}

void check_told(const std::vector<std::string>& faults, double points, const std::string& text) {
  for (const std::string& fault : faults) FAIL_CHECK(fault);
  CHECK(points == Approx(kPoints));
  check_hidden(text);
}

}  // namespace

TEST_CASE("Gradescope: the zip's scripts make results.json, and none when the grader fails") {
  const HostRun host("gradescope");
  host.unpack("autograder.zip", "source");
  for (const char* name : {"setup.sh", "run_autograder", "install_package.sh", "cudalabs-student_1.0.0_amd64.deb"})
    CHECK(fs::exists(host.at("source") / name));
  CHECK((fs::status(host.at("source/run_autograder")).permissions() & fs::perms::owner_exec) != fs::perms::none);
  host.write("submission/matmul.cu", submission());
  fs::create_directory(host.at("empty"));
  const auto grade = [&](const std::string& handed_in, bool broken) {
    return host.run({"/autograder/source/run_autograder"}, "/", {{"results", "/autograder/results"}},
                    {{"source", "/autograder/source"}, {handed_in, "/autograder/submission"}}, broken);
  };
  CHECK(grade("submission", false).exit_code == 0);
  const std::string text = read_file(host.at("results/results.json"));
  check_told(gradescope_faults(text), gradescope_points(text), text);

  CHECK(grade("empty", false).exit_code == 0);
  const std::string nothing = read_file(host.at("results/results.json"));
  CHECK(gradescope_faults(nothing).empty());
  CHECK(gradescope_points(nothing) == 0);
  CHECK(nothing.find("there is no matmul.cu in what was handed in") != std::string::npos);

  CHECK(grade("submission", true).exit_code != 0);
  CHECK_FALSE(fs::exists(host.at("results/results.json")));
}

TEST_CASE("GitHub Classroom: the step has its output, and none when the grader fails") {
  const HostRun host("github-classroom");
  const std::string workflow = read_file(host.kit() / ".github/workflows/classroom.yml");
  CHECK(workflow.find("LAB3_RESULTS: ${{ steps.lab3.outputs.result }}") != std::string::npos);
  CHECK(workflow.find("if: steps.lab3.outputs.result != ''") != std::string::npos);
  fs::copy(host.kit(), host.at("repository"), fs::copy_options::recursive);
  host.write("repository/matmul.cu", submission());
  const auto grade = [&](const std::string& output, bool broken) {
    host.write("outputs/" + output, "earlier=1\n");
    return host.run({"/bin/sh", ".github/cudalabs/grade.sh"}, "/repository",
                    {{"repository", "/repository"}, {"outputs", "/outputs"}}, {}, broken,
                    {"GITHUB_OUTPUT", "/outputs/" + output});
  };
  const ProgramRun run = grade("good", false);
  CHECK(run.exit_code == 0);
  CHECK(run.out.find("55 of 100 points") != std::string::npos);  // in the job's log
  // Between these two lines no text is a command of GitHub's.
  const std::string stop = "::stop-commands::";
  REQUIRE(run.out.starts_with(stop));
  const std::string token = run.out.substr(stop.size(), run.out.find('\n') - stop.size());
  CHECK(token.size() == 36);
  CHECK(run.out.ends_with("\n::" + token + "::\n"));
  const std::string text = read_file(host.at("outputs/good"));
  CHECK(text.starts_with("earlier=1\nresult="));
  const std::size_t at = std::string("earlier=1\nresult=").size();
  check_told(classroom_faults(text), classroom_points(text), from_base64(text.substr(at, text.size() - 1 - at)));
  CHECK(grade("bad", true).exit_code != 0);
  CHECK(read_file(host.at("outputs/bad")) == "earlier=1\n");

  // Students can read what is in the repository.
  const ProgramRun refused = run_bare({(machine().prefix / "bin/cudalabs-grade").string(), "kit", "github-classroom",
                                       "lab3", "--package", machine().instructors_package.string(), "--out", "x"},
                                      host.at("."), host.at("."));
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("cudalabs-student") != std::string::npos);
  CHECK_FALSE(fs::exists(host.at("x")));
}

TEST_CASE("PrairieLearn: the image's entry point writes results.json, and what is not gradable costs nothing") {
  const HostRun host("prairielearn");
  const auto info = nlohmann::json::parse(read_file(host.kit() / "question/info.json"));
  CHECK(info.at("uuid").get<std::string>().size() == 36);
  CHECK(info.at("externalGradingOptions").at("timeout") <= 600);
  CHECK(fs::exists(host.kit() / "image/install_package.sh"));
  host.write("grade/student/matmul.cu", submission());
  host.write("none/student/other.cu", submission());
  const auto grade = [&](const std::string& folder, bool broken) {
    CHECK(host.run({info.at("externalGradingOptions").at("entrypoint")}, "/grade", {{folder, "/grade"}},
                   {{"kit/image/grade.sh", "/opt/cudalabs-grade.sh"}}, broken)
              .exit_code == 0);
    return read_file(host.at(folder + "/results/results.json"));
  };
  const std::string text = grade("grade", false);
  check_told(prairielearn_faults(text), prairielearn_points(text), text);
  CHECK(prairielearn_points(grade("none", false)) < 0);
  const std::string fault = grade("grade", true);
  CHECK(prairielearn_faults(fault).empty());
  CHECK(prairielearn_points(fault) < 0);
  CHECK(fault.find("not your fault") != std::string::npos);
}

TEST_CASE("Autolab: the last line has the score, and none when the grader fails") {
  const HostRun host("autolab");
  fs::create_directory(host.at("work"));
  const auto grade = [&](bool broken) {
    // As Autolab lays it out: the file that was handed in, the makefile and the archive in one folder.
    fs::remove_all(host.at("work"));
    host.write("work/matmul.cu", submission());
    fs::copy_file(host.kit() / "autograde-Makefile", host.at("work/Makefile"));
    fs::copy_file(host.kit() / "autograde.tar", host.at("work/autograde.tar"));
    return host.run({"/usr/bin/make"}, "/hand-in", {{"work", "/hand-in"}}, {}, broken).out;
  };
  const std::string text = grade(false);
  check_told(autolab_faults(text), autolab_points(text), text);
  const std::string fault = grade(true);
  CHECK(autolab_faults(fault).empty());
  CHECK(autolab_points(fault) < 0);
}

TEST_CASE("Submitty: the validator has the result, and its failure when the grader fails") {
  const HostRun host("submitty");
  const auto config = nlohmann::json::parse(read_file(host.kit() / "config/config.json"));
  const auto& test = config.at("testcases").at(0);
  CHECK(test.at("points") == 100);
  const auto grade = [&](const std::string& folder, bool broken) {
    host.write(folder + "/test01/matmul.cu", submission());
    host.write(folder + "/custom_validator_input.json", "{\"testcase_prefix\" : \"test01/\", \"username\": \"s1\"}");
    fs::copy(host.kit() / "config/custom_validation_code", host.at(folder), fs::copy_options::recursive);
    const std::string command = test.at("command"), validator = test.at("validation").at(0).at("command");
    host.run({"/bin/sh", "-c", command}, "/hand-in/test01", {{folder, "/hand-in"}}, {}, broken);
    CHECK(host.run({"/bin/sh", "-c", validator}, "/hand-in", {{folder, "/hand-in"}}, {}, broken).exit_code == 0);
    return read_file(host.at(folder + "/validation_results.json"));
  };
  const std::string text = grade("good", false);
  check_told(submitty_faults(text), submitty_points(text), text);
  const std::string fault = grade("bad", true);
  CHECK(submitty_faults(fault).empty());
  CHECK(submitty_points(fault) < 0);
  // The grader did not even start.
  host.write("none/custom_validator_input.json", "{\"testcase_prefix\" : \"test01/\"}");
  fs::copy(host.kit() / "config/custom_validation_code", host.at("none"), fs::copy_options::recursive);
  CHECK(host.run({"/bin/bash", "validate.sh"}, "/hand-in", {{"none", "/hand-in"}}).exit_code == 0);
  CHECK(submitty_points(read_file(host.at("none/validation_results.json"))) < 0);
}

TEST_CASE("the page on running a course says how to make a kit, and names files that kits have") {
  const std::string page = read_file(cudalabs::source_path("docs/RUN_A_COURSE.md"));
  const std::string command = "cudalabs-grade kit gradescope lab3 --package cudalabs_1.0.0_amd64.deb --out kit";
  REQUIRE(page.find("    " + command + "\n") != std::string::npos);
  const TemporaryFolder folder;
  folder.write("cudalabs_1.0.0_amd64.deb", kPackage);
  folder.write("cudalabs-student_1.0.0_amd64.deb", kPackage);
  for (const std::string host : {"gradescope", "github-classroom", "prairielearn", "autolab", "submitty"}) {
    CAPTURE(host);
    std::string own = command;
    own.replace(own.find("gradescope"), 10, host);
    if (host == "github-classroom") own.replace(own.find("cudalabs_1"), 8, "cudalabs-student");
    fs::remove_all(folder.path() / "kit");
    const ProgramRun made = run_bare({"/bin/sh", "-c", own}, folder.path(), folder.path(),
                                     {"PATH=" + (machine().prefix / "bin").string() + ":/usr/bin:/bin"});
    UNSCOPED_INFO(made.err);
    REQUIRE(made.exit_code == 0);
    const std::size_t row = page.find("\n| `" + host + "` | ");
    REQUIRE(row != std::string::npos);
    const std::string line = page.substr(row + 1, page.find('\n', row + 1) - row - 1);
    unsigned named = 0;
    for (std::size_t at = 0; (at = line.find("kit/", at)) != std::string::npos; ++at, ++named) {
      const std::string path = line.substr(at, line.find_first_of("` ,;", at) - at);
      CAPTURE(path);
      CHECK(fs::exists(folder.path() / path));
    }
    CHECK(named > 0);
  }
}

TEST_CASE("a kit is refused where it would write over something, or has no package") {
  const HostRun host("gradescope");
  const auto kit = [&](const std::string& name, const std::string& package, const fs::path& out) {
    return run_bare({(machine().prefix / "bin/cudalabs-grade").string(), "kit", name, "lab3", "--package", package,
                     "--out", out.string()},
                    host.at("."), host.at("."));
  };
  CHECK(kit("gradescope", machine().package.string(), host.kit()).exit_code == 2);
  CHECK(kit("gradescope", "missing.deb", host.at("new")).exit_code == 2);
  host.write("cudalabs_fake.deb", "x");
  const ProgramRun fake = kit("gradescope", host.at("cudalabs_fake.deb").string(), host.at("new"));
  CHECK(fake.exit_code == 2);
  CHECK(fake.err.find("this is no Debian package") != std::string::npos);
  CHECK_FALSE(fs::exists(host.at("new")));
  CHECK(kit("moodle", machine().package.string(), host.at("new")).exit_code == 2);
  CHECK_FALSE(fs::exists(host.at("new")));
}
