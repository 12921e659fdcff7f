// Grades every sample submission of a lab (its skeleton, its solution, and the files under wrong/ and unusual/ of the
// solution's folder) with the built `grade` and holds the JSON report against the file's first line.
//
//   test_submissions GRADE PROJECT_ROOT LAB_FOLDER clang|nvcc [PART_OF_A_NAME]
//
// Exits 0 when all are met, 1 when one is not, 77 when the front end is not installed.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "build/builder.h"
#include "expectation.h"
#include "lab/lab.h"
#include "program.h"

namespace {

using namespace cudalabs;
using namespace cudalabs::test;
namespace fs = std::filesystem;

constexpr int kSkipped = 77;

struct Sample {
  fs::path file;
  Expectation expected;
};

/// The samples of a folder; throws where a file does not say what it expects.
std::vector<Sample> samples_in(const fs::path& folder) {
  std::vector<Sample> samples;
  if (!fs::is_directory(folder)) return samples;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream stream(entry.path());
    std::string line;
    std::getline(stream, line);
    const auto expected = parse_expectation(line);
    if (!expected) throw std::runtime_error(entry.path().string() + ":1: no `// EXPECT:` that means anything");
    samples.push_back({entry.path(), *expected});
  }
  std::ranges::sort(samples, {}, &Sample::file);
  return samples;
}

std::vector<Sample> samples_of(const Lab& lab) {
  std::vector<Sample> samples{{lab.folder / lab.contract.source, {Expectation::Kind::builds_and_fails, {}}}};
  if (fs::is_directory(lab.solution_folder)) {
    samples.push_back({lab.solution_folder / lab.contract.source, {Expectation::Kind::full_marks, {}}});
  }
  for (const char* kind : {"unusual", "wrong"})
    std::ranges::move(samples_in(lab.solution_folder / kind), std::back_inserter(samples));
  return samples;
}

/// What was got instead of what the sample expects; empty when that was met.
std::string grade(const std::string& grader, const Lab& lab, const Sample& sample, const std::string& frontend,
                  const TemporaryFolder& folder) {
  const fs::path json = folder.path() / "report.json", scratch = folder.path() / "tmp";
  fs::remove(json);
  fs::create_directory(scratch);
  const ProgramRun run = run_program(
      {grader, lab.id, "--submission", sample.file.string(), "--frontend", frontend, "--json", json.string()},
      folder.path(),
      {.environment = {{"TMPDIR", scratch.string()}, {"CUDALABS_CACHE", (folder.path() / "cache").string()}}});
  if (run.survivors != 0) return "left " + std::to_string(run.survivors) + " processes behind";
  if (!fs::is_empty(scratch))
    return "left files behind: " + fs::directory_iterator(scratch)->path().filename().string();
  const auto report = nlohmann::json::parse(read_file(json), nullptr, false);
  if (report.is_discarded()) return "no report; exit code " + std::to_string(run.exit_code) + ": " + run.err;
  const std::string got = objection(sample.expected, report, run.exit_code);
  // What the grader says of its own failure is worth more than the summary.
  for (const auto& check : report.at("checks")) {
    if (check.at("status") == "error") return got + "; " + check.at("message").get<std::string>();
  }
  return got;
}

int grade_all(const std::vector<std::string>& arguments) {
  const fs::path root = arguments[1];
  const Lab lab = read_lab(root / "labs" / arguments[2], root / "solutions");
  const std::string& frontend = arguments[3];
  if (!find_toolchain(frontend == "nvcc" ? Frontend::nvcc : Frontend::clang)) {
    std::printf("%s is not installed: nothing graded\n", frontend.c_str());
    return kSkipped;
  }
  const TemporaryFolder folder;
  unsigned graded = 0, unmet = 0;
  for (const Sample& sample : samples_of(lab)) {
    const std::string name = fs::relative(sample.file, root).string();
    if (arguments.size() > 4 && name.find(arguments[4]) == std::string::npos) continue;
    ++graded;
    const std::string got = grade(arguments[0], lab, sample, frontend, folder);
    if (got.empty()) continue;
    ++unmet;
    std::printf("%s\n  expected: %s\n  got:      %s\n", name.c_str(), describe(sample.expected).c_str(), got.c_str());
    std::fflush(stdout);
  }
  std::printf("%u submissions graded, %u not as expected\n", graded, unmet);
  return graded > 0 && unmet == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 4) {
    std::fprintf(stderr, "usage: %s GRADE PROJECT_ROOT LAB_FOLDER clang|nvcc [PART_OF_A_NAME]\n", argv[0]);
    return 2;
  }
  try {
    return grade_all(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
