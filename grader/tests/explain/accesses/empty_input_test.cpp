// Null pointers that are right.
#include "explain/accesses/empty_input.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_empty_input {
namespace {

CaseRun with_input(const std::string& name, std::int64_t elements, bool shows) {
  CaseRun case_run = right_case_run(name);
  if (shows) case_run.judgement->device = {finding(std::string(finding_ids::kNullPointerDereference), 26)};
  case_run.test.inputs = {float_matrix("in", 1, elements)};
  return case_run;
}

/// What `full` shows is another thing than that it fails.
MergedFinding explained(std::vector<std::string> cases, bool full_shows, bool reads = true) {
  SubmissionRun submission_run;
  submission_run.case_runs = {with_input("empty", 0, true), with_input("full", 3, full_shows)};
  MergedFinding finding;
  finding.where = {"k.cu", 26, 9};
  finding.id = finding_ids::kNullPointerDereference;
  finding.message = reads ? "read of 4 bytes through a null pointer" : "write of 4 bytes through a null pointer";
  finding.access.only_reads = reads;
  finding.help = "check that `cudaMalloc` was called";
  finding.cases = std::move(cases);
  finding.launch.where = {"k.cu", 9, 1};
  std::vector<MergedFinding> findings{finding};
  explain_empty_inputs(findings, submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("a null pointer that is read only where an input is empty is that input's") {
  CHECK(explained({"empty", "full"}, false).help != "check that `cudaMalloc` was called");
  const MergedFinding made = explained({"empty"}, false);
  CHECK(made.help.find("the input has no elements there") != std::string::npos);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 9);
}

TEST_CASE("a null pointer where inputs have elements, or that is written through, has another reason") {
  CHECK(explained({"empty", "full"}, true).help == "check that `cudaMalloc` was called");
  CHECK(explained({"full"}, true).help == "check that `cudaMalloc` was called");
  CHECK(explained({}, true).help == "check that `cudaMalloc` was called");
  CHECK_FALSE(explained({"empty"}, false, false).other);
}

TEST_CASE("a launch without blocks where there are no elements is not the fault of a division") {
  const auto help = [](bool full_shows, std::int64_t wanted) {
    SubmissionRun submission_run;
    submission_run.case_runs = {with_input("empty", 0, true), with_input("full", 3, full_shows)};
    for (CaseRun& case_run : submission_run.case_runs) {
      if (!case_run.judgement->device.empty()) case_run.judgement->device.front().id = finding_ids::kInvalidLaunch;
      case_run.test.expected = {expected_matrix(1, wanted)};
    }
    MergedFinding finding;
    finding.where = {"k.cu", 26, 9};
    finding.id = finding_ids::kInvalidLaunch;
    finding.launch.refused_grid = Index3{0, 1, 1};
    finding.help = "check the division";
    finding.cases = {"empty", "full"};
    std::vector<MergedFinding> findings{finding};
    explain_empty_inputs(findings, submission_run);
    return findings.front().help;
  };
  CHECK(help(false, 0).find("return before the launch") != std::string::npos);
  CHECK(help(false, 1).find("store what the result has to be") != std::string::npos);
  CHECK(help(true, 0) == "check the division");
}

}  // namespace cudalabs::test::of_empty_input
