// Loops that go by the inner dimension, whatever the sums look like.
#include "explain/values/inner_bound.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// The loop of the sum is in line 3.
std::string help_for(const std::string& head, const std::string& arguments = "c, m, n",
                     const std::string& detector = "product_sums_rows") {
  const std::string source =
      "__global__ void k(float* c, int m, int n) {\n"
      "  const int phases = (n + 15) / 16, strips = (m + 15) / 16; float sum = 0; int i = threadIdx.x;\n  " +
      head + "\n  c[i] = sum;\n}\nvoid f(float* c, int m, int n) { k<<<4, 16>>>(" + arguments + "); }\n";
  SubmissionRun submission_run;
  CaseRun made = case_run_with("odd", expected_matrix(4, 4), float_matrix("c", 4, 4));
  made.test.spec.parameters = {{"m", 4}, {"n", 8}};
  submission_run.case_runs.push_back(std::move(made));
  MergedFinding found{finding(std::string(finding_ids::kResultMismatch), 3), {"odd"}};
  found.detector = detector;
  found.help = "as before";
  const bool shown = show_inner_bound(found, source, submission_run);
  CHECK(shown == (found.help != "as before"));
  return found.help;
}

}  // namespace

TEST_CASE("where a loop goes by the inner dimension, something else is asked for") {
  CHECK_THAT(help_for("for (int k = 0; k < n; ++k) if (k < m) sum += c[k];"), contains_text("goes by n already"));
  CHECK_THAT(help_for("for (int t = 0; t < phases; ++t) { if (t * 16 >= m) break; sum += c[t]; }"),
             contains_text("goes by n already"));
  CHECK_THAT(help_for("const int depth = n % 16;"), contains_text("goes by n already"));
}

TEST_CASE("a loop that goes by another size is asked for the inner dimension") {
  CHECK(help_for("for (int k = 0; k < m; ++k) sum += c[i * n + k];") == "as before");
  CHECK(help_for("for (int t = 0; t < strips; ++t) sum += c[t];") == "as before");
  CHECK(help_for("for (int k = 0; k < n; ++k) sum += c[k];", "c, n, m") == "as before");  // the launch exchanges them
  CHECK(help_for("for (int k = 0; k < n; ++k) sum += c[k];", "c, m, n", "product_misses_last") == "as before");
}

}  // namespace cudalabs::test
