// Null pointers that are right.
#include "explain/empty_input.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_empty_input {
namespace {

CaseRun with_input(const std::string& name, std::int64_t elements) {
  CaseRun case_run = right_case_run(name);
  case_run.test.inputs = {float_matrix("in", 1, elements)};
  return case_run;
}

MergedFinding explained(std::vector<std::string> cases, const std::string& message =
                                                            "read of 4 bytes through a null "
                                                            "pointer") {
  SubmissionRun submission_run;
  submission_run.case_runs = {with_input("empty", 0), with_input("full", 3)};
  MergedFinding finding;
  finding.id = finding_ids::kNullPointerDereference;
  finding.message = message;
  finding.help = "check that `cudaMalloc` was called";
  finding.cases = std::move(cases);
  finding.launch.where = {"k.cu", 9, 1};
  std::vector<MergedFinding> findings{finding};
  explain_empty_inputs(findings, submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("a null pointer that is read only where an input is empty is that input's") {
  const MergedFinding made = explained({"empty"});
  CHECK(made.help.find("the input `in` has no elements") != std::string::npos);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 9);
}

TEST_CASE("a null pointer where inputs have elements, or that is written through, has another reason") {
  CHECK(explained({"empty", "full"}).help == "check that `cudaMalloc` was called");
  CHECK(explained({"full"}).help == "check that `cudaMalloc` was called");
  CHECK(explained({}).help == "check that `cudaMalloc` was called");
  CHECK_FALSE(explained({"empty"}, "write of 4 bytes through a null pointer").other);
}

}  // namespace cudalabs::test::of_empty_input
