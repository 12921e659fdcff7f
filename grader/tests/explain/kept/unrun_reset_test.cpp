// A reset of a variable that no thread comes to.
#include "explain/kept/unrun_reset.h"

#include "catch.h"
#include "explain/kept/kept_value.h"
#include "tests/check/make.h"
#include "tests/replaced.h"

namespace cudalabs::test::of_unrun_reset {
namespace {

const std::string kQueue =
    "__device__ unsigned next = 0;\n"
    "__global__ void k(int n) {\n"
    "  const unsigned ticket = atomicAdd(&next, 1u);\n"
    "  if (ticket == n + gridDim.x) next = 0;\n"
    "  if (ticket >= n) return;\n"
    "}\n";

MergedFinding shown(std::uint64_t threads, const std::string& source = kQueue, std::uint32_t column = 32) {
  SubmissionRun submission_run;
  CaseRun made = case_run_with("again", expected_matrix(4, 4), float_matrix("c", 4, 4));
  made.observed.branches = {{{"k.cu", 4, 7}, {{"k.cu", 4, column}, threads}, {{"k.cu", 5, 7}, 64}},
                            {{"k.cu", 5, 7}, {{"k.cu", 5, 20}, 9}, {{"k.cu", 6, 1}, 55}}};
  submission_run.case_runs.push_back(made);
  submission_run.case_runs.push_back(made);
  submission_run.case_runs.front().test.spec.name = "once";
  // What the second launch finds may bring it to the reset.
  submission_run.case_runs.back().observed.branches.front().next.threads = 1;
  MergedFinding finding{leftover_value({{"next", 0, "k", "32", "0"}, {"k.cu", 9, 1}}), {"again"}};
  finding.other = finding.cause;
  finding.where = {"k.cu", 1, 21};
  std::vector<MergedFinding> findings{finding};
  show_unrun_resets(findings, source, "k.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("a reset that no thread came to is shown with its condition") {
  const MergedFinding made = shown(0);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 4);
  CHECK(made.other->label == "this sets it back, and no thread came here");
  CHECK(made.note.starts_with("it was 32 when this launch began: line 9\n"));
  CHECK(made.help ==
        "in a launch that begins with 0 no thread finds `ticket == n + gridDim.x` true, so line 4 does not set `next` "
        "back to 0: which thread uses it last, and what does it find there?");
  CHECK(shown(0, replaced(kQueue, "next = 0;\n  if", "atomicExch(&next, 0u);\n  if")).other->place.line == 4);
}

TEST_CASE("a reset that is executed, or that may be another one, is not shown") {
  for (const MergedFinding& other :
       {shown(1), shown(0, kQueue, 0), shown(0, replaced(kQueue, "next = 0;\n  if", "next = 1;\n  if")),
        shown(0, replaced(kQueue, "return;", "next = 0;")), shown(0, replaced(kQueue, "next = 0;\n  if", "f();\n  if")),
        shown(0, replaced(kQueue, "  if (ticket == n + gridDim.x) ", "  "))})
    CHECK(other.help.starts_with("set it back to 0"));
}

}  // namespace cudalabs::test::of_unrun_reset
