// In which order the findings of many cases are told.
#include "catch.h"
#include "check/merge.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

TEST_CASE("a call that failed stands before what may follow from it") {
  CaseRun case_run = right_case_run("small");
  case_run.observed.findings = {finding("global-out-of-bounds", 3)};
  case_run.observed.refused = {"cudaMemcpy", 1, {"sum.cu", 13, 0}};
  case_run.observed.refused_before_launch = true;
  SubmissionRun submission_run;
  submission_run.case_runs = {judged(case_run)};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"runtime-error", "global-out-of-bounds"});
  // What kernels did wrong before it failed does not follow from it, but may be why it failed.
  case_run.observed.refused_before_launch = false;
  submission_run.case_runs = {judged(case_run)};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"global-out-of-bounds"});
  // Where nothing is wrong, a program may try a call that fails.
  case_run.observed.findings.clear();
  submission_run.case_runs = {judged(case_run)};
  CHECK(merge_findings(submission_run).empty());
}

TEST_CASE("a variable without a value comes before the NaN it made, two equal writes after what was not written") {
  SubmissionRun submission_run;
  datasets::Array output = float_matrix("c", 4, 4);
  poison(output, 0);
  CaseRun case_run = case_run_with("small", expected_matrix(4, 4), output);
  case_run.observed.findings = {finding("global-race", 3, Severity::warning),
                                finding("uninitialized-read", 9, Severity::warning)};
  submission_run.case_runs = {judged(std::move(case_run))};
  CHECK(ids(merge_findings(submission_run)) ==
        std::vector<std::string>{"uninitialized-read", "unwritten-output", "global-race"});
}

TEST_CASE("what was found when it was timed stands among the others") {
  SubmissionRun submission_run;
  submission_run.speed.emplace_back().finding = finding("wrong-when-timed", 0);
  submission_run.case_runs = {case_run_finding("small", {finding("memory-leak", 4, Severity::warning)})};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"wrong-when-timed", "memory-leak"});
}

TEST_CASE("errors come first, then warnings, then advice; causes before symptoms") {
  SubmissionRun submission_run;
  const CaseRun wrong =
      case_run_with("wrong", expected_matrix(2, 2), float_matrix("c", 2, 2, [](auto, auto) { return -99.0; }));
  submission_run.case_runs = {
      wrong, unfinished_case_run("crash", RunEnd::crashed, ""),
      case_run_finding("device", {finding("some-advice", 3, Severity::advice), finding("shared-race", 5),
                                  finding("memory-leak", 1, Severity::warning), finding("global-out-of-bounds", 20),
                                  finding("global-out-of-bounds", 10)})};
  const auto findings = merge_findings(submission_run);
  CHECK(ids(findings) == std::vector<std::string>{"global-out-of-bounds", "global-out-of-bounds", "shared-race",
                                                  "runner-crashed", "result-mismatch", "memory-leak", "some-advice"});
  CHECK(findings[0].where.line == 10);
}

TEST_CASE("what only goes wrong where a call was made to fail comes after the rest") {
  SubmissionRun submission_run;
  CaseRun fails = case_run_finding("fails", {finding("invalid-launch", 3), finding("shared-race", 5)});
  fails.test.spec.faults.allocation = 1;
  submission_run.case_runs = {fails, case_run_finding("small", {finding("shared-race", 5)}),
                              unfinished_case_run("crash", RunEnd::crashed, "")};
  CHECK(ids(merge_findings(submission_run)) ==
        std::vector<std::string>{"shared-race", "runner-crashed", "invalid-launch"});
}

TEST_CASE("what is seen only without elements comes after what others show, and before failures") {
  CaseRun empty = case_run_finding("empty", {finding("invalid-launch", 3)});
  empty.test.inputs = {{"a", datasets::ElementType::f32, {0}, {}}};
  CaseRun fails = case_run_finding("fails", {finding("invalid-free", 4)});
  fails.test.spec.faults.allocation = 1;
  SubmissionRun submission_run;
  submission_run.case_runs = {fails, empty, case_run_finding("small", {finding("shared-race", 5)})};
  CHECK(ids(merge_findings(submission_run)) ==
        std::vector<std::string>{"shared-race", "invalid-launch", "invalid-free"});
  submission_run.case_runs.push_back(case_run_finding("one", {finding("invalid-launch", 3)}));
  CHECK(ids(merge_findings(submission_run)) ==
        std::vector<std::string>{"invalid-launch", "shared-race", "invalid-free"});
}
