// What a program may do when a launch fails, and what counts as silence.
#include "catch/catch.h"

#include "check/denied_failure.h"
#include "check/matchers.h"
#include "check/silent_failure.h"
#include "make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// A case of size `n` whose launch in line 7 was made to fail; the program asked in line 8.
CaseRun failing(const std::string& console, RunEnd end = RunEnd::finished) {
  CaseRun case_run;
  case_run.test.spec.name = "launch";
  case_run.test.spec.parameters = {{"n", 8}};
  case_run.test.spec.faults.launch = 1;
  case_run.test.spec.faults.message_only = true;
  case_run.test.expected.push_back(expected_matrix(2, 2));
  case_run.observed.end = end;
  case_run.observed.console = console;
  case_run.observed.made_to_fail =
      FailedCall{{"matmul.cu", 7, 0}, WatchedCall{"cudaGetLastError", 701, {"matmul.cu", 8, 0}}};
  case_run.observed.findings.push_back(finding("uninitialized-read", 12));  // of a kernel that came after
  return case_run;
}

CaseRun undisturbed(const std::string& console, std::int64_t n = 8) {
  CaseRun case_run;
  case_run.test.spec.name = "plain";
  case_run.test.spec.parameters = {{"n", n}};
  case_run.observed.end = RunEnd::finished;
  case_run.observed.console = console;
  return case_run;
}

std::vector<Finding> found_in(CaseRun failed, CaseRun other = undisturbed("")) {
  std::vector<CaseRun> case_runs{std::move(other), std::move(failed)};
  judge(case_runs);
  return case_runs.back().judged().device;
}

}  // namespace

TEST_CASE("a program that prints a message has noticed, and nothing that follows counts", "[check]") {
  CHECK(found_in(failing("matmul: too many resources requested for launch\n")).empty());
  CHECK(found_in(failing("launch failed\n", RunEnd::exited_early)).empty());
  CHECK(found_in(failing("launch failed\n", RunEnd::runtime_error)).empty());
}

TEST_CASE("a message that says that nothing failed is none about the failure", "[check]") {
  for (const RunEnd end : {RunEnd::finished, RunEnd::exited_early}) {
    for (const std::string said : {"matmul: no error\n", "failed: cudaSuccess\n",
                                   "CUDA error no error at matmul.cu:25\n", "no error", "launch failed (no error)\n"}) {
      const auto findings = found_in(failing(said, end));
      REQUIRE(findings.size() == 1);
      CHECK(findings[0].id == finding_ids::kUncheckedLaunch);
      CHECK_THAT(findings[0].message, contains_text("says `no error`"));
      CHECK(findings[0].where.line == 8);
      CHECK_THAT(findings[0].help, contains_text("returns an error once"));
      REQUIRE(findings[0].cause);
    }
  }
  // Of a call that is not known to clear the error that is not said.
  CaseRun other = failing("no error\n");
  other.observed.made_to_fail->asked->name = "cudaDeviceSynchronize";
  REQUIRE(found_in(other).size() == 1);
  CHECK_THAT(found_in(other)[0].help, !contains_text("returns an error once"));
}

TEST_CASE("a message in words of one's own, or with the error as well, is about the failure", "[check]") {
  for (const std::string said :
       {"no errors are expected here, but the launch failed\n", "launch failed\n", "error 701\n",
        "no error before the launch, then: too many resources requested for launch\n",
        "cudaErrorLaunchOutOfResources (no error?)\n", "cudaGetLastError() == cudaSuccess does not hold\n",
        "expected cudaSuccess\n", "status != cudaSuccess\n", "there should be no error here\n", "no error expected\n",
        "got 701, wanted: no error message\n"})
    CHECK(found_in(failing(said)).empty());
  // What is printed of the launches that did not fail is none about the one that did.
  CHECK(found_in(failing("first: no error\nsecond: failed\n"), undisturbed("first: no error\nsecond: no error\n"))
            .empty());
  CHECK(denies_failure("no error"));
  CHECK_FALSE(denies_failure(""));
}

TEST_CASE("memory that a function leaves behind when it returns from a failure is a leak", "[check]") {
  const auto leaks = [](RunEnd end) {
    CaseRun failed = failing("launch failed\n", end);
    failed.observed.findings.push_back(finding("memory-leak", 5, Severity::warning));
    return found_in(failed);
  };
  for (const RunEnd end : {RunEnd::finished, RunEnd::runtime_error}) {
    const auto findings = leaks(end);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].id == finding_ids::kMemoryLeak);
    CHECK(findings[0].where.line == 5);
  }
  CHECK(leaks(RunEnd::exited_early).empty());
  CHECK(leaks(RunEnd::crashed).empty());
}

TEST_CASE("a program that ends at the failure has noticed", "[check]") {
  CHECK(found_in(failing("", RunEnd::exited_early)).empty());
  CHECK(found_in(failing("", RunEnd::crashed)).empty());
}

TEST_CASE("a program that prints nothing is told where it dropped the error", "[check]") {
  for (const RunEnd end : {RunEnd::finished, RunEnd::runtime_error}) {
    const auto findings = found_in(failing("", end));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].id == finding_ids::kUncheckedLaunch);
    CHECK(findings[0].severity == Severity::warning);
    CHECK(findings[0].failed_call == "cudaGetLastError");
    CHECK(findings[0].message.ends_with(kNotReported));
    CHECK(findings[0].where.line == 8);
    REQUIRE(findings[0].other);
    CHECK(findings[0].other->place.line == 7);
  }
}

TEST_CASE("what is printed in any case is no message", "[check]") {
  CHECK(found_in(failing("grid of 3\n"), undisturbed("grid of 3\nblock 1\n")).size() == 1);
  CHECK(found_in(failing("grid of 3\nlaunch failed\n"), undisturbed("grid of 3\n")).empty());
  // Another size prints something else by itself.
  CHECK(found_in(failing("grid of 3\n"), undisturbed("grid of 3\n", 9)).empty());
}

TEST_CASE("what is printed of a launch that is refused in every case is a message", "[check]") {
  const std::string said = "launch failed: invalid configuration argument\n";
  CaseRun refused = undisturbed(said);
  refused.observed.findings.push_back(finding(std::string(finding_ids::kInvalidLaunch), 7));
  CHECK(found_in(failing(said), refused).empty());
  CHECK(found_in(failing(""), refused).size() == 1);
  CHECK(found_in(failing(said), undisturbed(said)).size() == 1);
}

TEST_CASE("a program that asks nobody is told at the launch, once", "[check]") {
  CaseRun failed = failing("");
  failed.observed.made_to_fail->asked.reset();
  auto findings = found_in(failed);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].failed_call.empty());
  CHECK(findings[0].where.line == 7);
  // What the virtual GPU says of it stays as it is, unless a case without failures said it already.
  failed.observed.findings = {finding("unchecked-launch", 7, Severity::warning)};
  CHECK(found_in(failed) == failed.observed.findings);
  CaseRun other = undisturbed("");
  other.observed.findings = failed.observed.findings;
  CHECK(found_in(failed, other).empty());
}

TEST_CASE("a launch that the program never came to fails nobody", "[check]") {
  CaseRun failed = failing("");
  failed.observed.made_to_fail.reset();
  CHECK(found_in(failed).empty());
  CHECK_FALSE([&] {
    std::vector<CaseRun> case_runs{failed};
    judge(case_runs);
    return case_runs[0].is_wrong();
  }());
}

}  // namespace cudalabs::test
