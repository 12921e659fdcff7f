// A lab from nothing, in a folder of its own: what `grade new-lab` writes is whole but for what it says is left to do,
// and a lab whose checks are ordinary is taken by the program as it is, with no C++ of its own.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "program.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

/// A root of labs, and the program that works on it.
class Root {
 public:
  Root() {
    for (const char* folder : {"labs", "solutions"}) fs::create_directory(folder_.path() / folder);
  }

  ProgramRun grade(std::vector<std::string> words) const {
    words.insert(words.begin(), cudalabs::build_path("grade"));
    return run_program(words, folder_.path(),
                       {.environment = {{"CUDALABS_ROOT", folder_.path().string()},
                                        {"CUDALABS_CACHE", (folder_.path() / "cache").string()}}});
  }
  fs::path lab() const { return folder_.path() / "labs" / kSlug; }
  fs::path mirror() const { return folder_.path() / "solutions" / kSlug; }
  const fs::path& path() const { return folder_.path(); }
  void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }

  static inline const std::string kSlug = "lab7_matvec";

 private:
  TemporaryFolder folder_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_to_do(const std::string& line) {
  return line.starts_with("to do: ");
}

/// Puts the lab of grader/tests/lint/matvec/ in the place of the one that was written.
void make_it_a_matrix_vector_product(const Root& root) {
  const fs::path fixture = cudalabs::source_path("grader/tests/lint/matvec");
  for (const auto& [from, to] : {std::pair{"lab", root.lab()}, std::pair{"mirror", root.mirror()}}) {
    fs::remove_all(to);
    fs::copy(fixture / from, to, fs::copy_options::recursive);
  }
}

/// The fixture's submissions are fewer than a lab must have, and that is all there is to say.
void check_whole_but_for_counts(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) UNSCOPED_INFO(line);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find("wrong: 2 submissions; at least 8") != std::string::npos);
  CHECK(lines[1].find("alternative: 1 submissions; at least 3") != std::string::npos);
}

}  // namespace

TEST_CASE("a new lab is whole but for what it says is left to do", "[quick]") {
  const Root root;
  const ProgramRun made = root.grade({"new-lab", Root::kSlug});
  INFO(made.out << made.err);
  REQUIRE(made.exit_code == 0);
  CHECK(made.out.find("grade lint lab7_matvec --no-grading") != std::string::npos);

  CHECK(root.grade({"list"}).out.find("lab7") != std::string::npos);
  // The points table is made, as the author would make it.
  const ProgramRun before = root.grade({"lint", "lab7", "--no-grading"});
  CHECK(before.exit_code == 1);
  const auto faults = std::ranges::count_if(lines_of(before.out), [](const auto& line) { return !is_to_do(line); });
  CHECK(faults == 8);  // a line for each check
  const ProgramRun linted = root.grade({"lint", "lab7", "--no-grading", "--write"});
  CHECK(linted.exit_code == 1);
  const std::vector<std::string> lines = lines_of(linted.out);
  REQUIRE(lines.size() > 10);
  CHECK(lines[0].starts_with("wrote "));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    CAPTURE(lines[i]);
    CHECK(is_to_do(lines[i]));
  }
  const std::string readme = read_file(root.lab() / "README.md");
  CHECK(readme.find("| `no_leaks` | all device memory that was allocated is freed | 5 |\n") != std::string::npos);
}

TEST_CASE("a new lab takes nobody's place", "[quick]") {
  const Root root;
  const auto refused = [&](const std::string& slug, const std::string& why) {
    const ProgramRun run = root.grade({"new-lab", slug});
    CAPTURE(slug, run.out, run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find(why) != std::string::npos);
  };
  REQUIRE(root.grade({"new-lab", Root::kSlug}).exit_code == 0);
  root.write("labs/lab7_matvec/matvec.cu", "mine");
  refused(Root::kSlug, "is there already");
  refused("lab7_other", "has the id \"lab7\" already");
  for (const char* slug : {"lab8", "lab8_", "Lab8_x", "lab8_x/y", "../lab8_x", "lab8_x y", "", "_x"})
    refused(slug, "cannot be a lab's folder");
  CHECK(read_file(root.lab() / "matvec.cu") == "mine");
  CHECK(std::distance(fs::directory_iterator(root.path() / "labs"), {}) == 1);
}

TEST_CASE("a lab of ordinary checks needs no C++ of its own", "[quick]") {
  const Root root;
  REQUIRE(root.grade({"new-lab", Root::kSlug}).exit_code == 0);
  make_it_a_matrix_vector_product(root);
  const ProgramRun linted = root.grade({"lint", "lab7", "--no-grading", "--write"});
  INFO(linted.err);
  std::vector<std::string> lines = lines_of(linted.out);
  REQUIRE_FALSE(lines.empty());
  CHECK(lines[0].starts_with("wrote "));
  lines.erase(lines.begin());
  check_whole_but_for_counts(lines);
}

TEST_CASE("the samples of a new lab get what they must, and so do those of its author", "[.graded]") {
  const Root root;
  REQUIRE(root.grade({"new-lab", Root::kSlug}).exit_code == 0);
  for (const bool by_its_author : {false, true}) {
    if (by_its_author) make_it_a_matrix_vector_product(root);
    const fs::path json = root.path() / "lint.json";
    const ProgramRun linted = root.grade({"lint", "lab7", "--write", "--frontend", "clang", "--json", json.string()});
    INFO(linted.out << linted.err);
    CHECK(linted.exit_code == 1);  // there is something left to do
    const auto results = nlohmann::json::parse(read_file(json));
    CHECK(results.size() == (by_its_author ? 5 : 4));
    for (const auto& result : results) {
      CAPTURE(result.dump());
      CHECK(result.at("objection") == "");
    }
    CHECK(linted.survivors == 0);
  }
  const ProgramRun right = root.grade({"lab7", "--solution", "--device", "virtual"});
  INFO(right.out << right.err);
  CHECK(right.exit_code == 0);
  const fs::path report = root.path() / "report.json";
  const ProgramRun wrong = root.grade({"lab7", "--submission", (root.mirror() / "wrong/columns_for_rows.cu").string(),
                                       "--device", "virtual", "--json", report.string(), "--", "[square]"});
  CHECK(wrong.exit_code == 1);
  const auto checks = nlohmann::json::parse(read_file(report)).at("checks");
  const auto status = [&](const std::string& id) {
    const auto found = std::ranges::find_if(checks, [&](const auto& check) { return check.at("id") == id; });
    return found == checks.end() ? "" : found->at("status").template get<std::string>();
  };
  CHECK(status("square") == "failed");
  CHECK(status("any_size") == "skipped");  // it was not selected
}
