// What students get: packed, unpacked somewhere else, set up by its own script, and used; and what they must not get.
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "lab/lab.h"
#include "lint/leak.h"
#include "lint/structure.h"
#include "pages.h"
#include "program.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = source_path();

ProgramRun run_in(const fs::path& folder, const std::vector<std::string>& words, RunOptions options = {}) {
  ProgramRun run = run_program(words, folder, options);
  UNSCOPED_INFO(run.out << run.err);
  return run;
}

/// The unpacked release, the same for all test cases.
const fs::path& release() {
  static const TemporaryFolder folder;
  static const fs::path root = [] {
    const fs::path archive = folder.path() / "students.tar.gz";
    const ProgramRun packed =
        run_in(folder.path(), {CUDALABS_CMAKE, "-D", "SOURCE=" + kRoot.string(), "-D", "VERSION=0.0.0", "-D",
                               "OUT=" + archive.string(), "-P", (kRoot / "grader/release/pack.cmake").string()});
    REQUIRE(packed.exit_code == 0);
    REQUIRE(run_in(folder.path(), {CUDALABS_CMAKE, "-E", "tar", "xzf", archive.string()}).exit_code == 0);
    return folder.path() / "cudalabs-0.0.0";
  }();
  return root;
}

}  // namespace

TEST_CASE("students get no solution, no hidden case, and no text of either") {
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(release())) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string name = fs::relative(entry.path(), release()).string();
    CAPTURE(name);
    CHECK(name.find("solution") == std::string::npos);
    CHECK(name.find("hidden") == std::string::npos);
    CHECK_FALSE(name.ends_with(".o"));
    const std::string text = read_file(entry.path());
    for (const fs::path& folder : find_labs(kRoot / "labs")) {
      const Lab lab = read_lab(folder, kRoot / "solutions");
      const std::string solution = read_file(lab.solution_folder / lab.contract.source);
      // Stricter about a lab's own folder: `grade lint`.
      for (const std::string& line : lint::leaks(solution, read_file(lab.folder / lab.contract.source), text, 4)) {
        FAIL_CHECK(name << " gives away: " << line);
      }
    }
  }
  CHECK(files > 100);
}

/// Whether `text` holds `answer`, and not as a part of a larger number: 402_656_268 bytes tell nothing.
bool gives(const std::string& text, const std::string& answer) {
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(answer); at != std::string::npos; at = text.find(answer, at + 1)) {
    if ((at == 0 || !continues(at - 1)) && !continues(at + answer.size())) return true;
  }
  return false;
}

TEST_CASE("an answer is found as a number of its own") {
  CHECK(gives("656", "656"));
  CHECK(gives("idle: 656, of 5,120", "656"));
  CHECK(gives("quiz_blocks_x = 5;", "quiz_blocks_x = 5"));
  CHECK_FALSE(gives("bytes = 402_656_268", "656"));
  CHECK_FALSE(gives("16561 or 6560", "656"));
}

TEST_CASE("students do not get the answers of the launch quiz") {
  // The answers as the solution's file has them, and the counts that tell them: 5,120 threads, 656 of them idle.
  for (const char* folder : {"labs", "datasets", "slides"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(release() / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = read_file(entry.path());
      CAPTURE(entry.path().string());
      for (const char* answer : {"5120", "5,120", "656", "quiz_blocks_x = 5"}) CHECK_FALSE(gives(text, answer));
    }
  }
}

TEST_CASE("the labs of what students get are whole, with their figures") {
  const std::vector<fs::path> labs = find_labs(release() / "labs");
  REQUIRE_FALSE(labs.empty());
  for (const fs::path& folder : labs) {
    for (const std::string& fault : lint::structure_faults(read_lab(folder, release() / "solutions"))) {
      FAIL_CHECK(fault);
    }
  }
}

TEST_CASE("of the pages students get the glossary, and no page leads nowhere") {
  std::vector<std::string> pages;
  for (const fs::directory_entry& entry : fs::directory_iterator(release() / "docs")) {
    pages.push_back(entry.path().filename().string());
  }
  CHECK(pages == std::vector<std::string>{"GLOSSARY.md"});
  for (const std::string& each : dead_links(release())) FAIL_CHECK(each);
}

TEST_CASE("what students get sets itself up, compiles a skeleton and grades it") {
  RunOptions options{.environment = {{"CUDALABS_NO_APT", "1"}, {"CUDALABS_CACHE", (release() / "cache").string()}},
                     .seconds = 1700};
  if (std::string(CUDALABS_COMPILER_LAUNCHER).ends_with("ccache")) {
    options.environment.insert({{"CMAKE_CXX_COMPILER_LAUNCHER", CUDALABS_COMPILER_LAUNCHER},
                                {"CCACHE_BASEDIR", release().string()},
                                {"CCACHE_NOHASHDIR", "1"}});
  }
  REQUIRE(run_in(release(), {"/bin/bash", "setup.sh", "build"}, options).exit_code == 0);
  const fs::path build = release() / "build";
  for (const fs::path& folder : find_labs(release() / "labs")) {
    const std::string id = read_lab(folder, release() / "solutions").id;
    CAPTURE(id);
    CHECK(run_in(build, {"/usr/bin/make", id}, options).exit_code == 0);
    const ProgramRun graded = run_in(build, {"./grade", id, "--json", "report.json"}, options);
    CHECK(graded.exit_code == 1);
    CHECK(graded.survivors == 0);
    const auto report = nlohmann::json::parse(read_file(build / "report.json"));
    CHECK(report.at("score").at("points") < report.at("score").at("max"));
    CHECK(report.at("checks").at(0).at("status") == "passed");
    CHECK(run_in(build, {"./grade", "hint", id}, options).exit_code == 0);
    const ProgramRun solution = run_in(build, {"./grade", id, "--solution"}, options);
    CHECK(solution.exit_code == 2);
    CHECK(solution.err.find("no solution") != std::string::npos);
  }
}
