// Every renderer's output for every sample report, held against the files in golden/.
// With CUDALABS_WRITE_GOLDEN=1 in the environment the files are written instead: read the difference before committing
// it.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "sample_reports.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

std::string golden(const std::string& file, const std::string& rendered) {
  const std::filesystem::path path = std::filesystem::path(CUDALABS_GOLDEN) / file;
  if (std::getenv("CUDALABS_WRITE_GOLDEN") != nullptr) {
    std::ofstream(path) << rendered;
    FAIL_CHECK("wrote " << path);
  }
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void check_golden(const std::string& file, const std::string& rendered) {
  INFO("golden file " << file);
  CHECK(rendered == golden(file, rendered));
}

}  // namespace

TEST_CASE("reports on a plain terminal") {
  for (const auto& [name, report] : all_reports()) {
    check_golden(name + ".txt",
                 render_terminal(report, SampleSources(), {.color = false, .unicode = true, .width = 100}));
  }
}

TEST_CASE("a report in colour, in ASCII, and on a narrow terminal") {
  const Report report = failing_report();
  check_golden("failing.color.txt",
               render_terminal(report, SampleSources(), {.color = true, .unicode = true, .width = 100}));
  check_golden("failing.ascii.txt",
               render_terminal(report, SampleSources(), {.color = false, .unicode = false, .width = 100}));
  check_golden("failing.narrow.txt",
               render_terminal(report, SampleSources(), {.color = false, .unicode = true, .width = 50}));
}

TEST_CASE("reports as JSON") {
  for (const auto& [name, report] : all_reports()) check_golden(name + ".json", render_json(report));
}

TEST_CASE("reports as JUnit XML") {
  for (const auto& [name, report] : all_reports()) check_golden(name + ".xml", render_junit(report));
}
