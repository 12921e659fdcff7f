// Every renderer's output for every sample report, held against the files in golden/.
#include "golden.h"
#include "catch.h"
#include "sample_reports.h"

using namespace cudalabs;
using namespace cudalabs::test;

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
