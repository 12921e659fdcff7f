// A run as a page for a browser.
#include "catch.h"
#include "golden_page.h"
#include "sample_run.h"
#include "sanitizer/run_report.h"

using namespace cudalabs::test;
using namespace cudalabs::sanitizer;

TEST_CASE("pages of runs are what they were before") {
  check_golden_page("run.html", render_page(sample_run(), sample_sources(), {"src/tree.cu"}));
  check_golden_page("run_clean.html", render_page(clean_run(), sample_sources(), {}));
  check_golden_page("run_hostile.html", render_page(hostile_run(), sample_sources(), {"src/tree.cu"}));
}
