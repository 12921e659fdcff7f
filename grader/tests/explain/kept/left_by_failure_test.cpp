// What is right alone, and wrong after a call that failed.
#include "explain/kept/left_by_failure.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_left_by_failure {
namespace {

const std::string kStatus =
    "#include <cstdio>\n"
    "static cudaError_t status = cudaSuccess;\n"
    "void f(int n) {\n"
    "  if (status == cudaSuccess) go(n);\n"
    "}\n";

MergedFinding unwritten() {
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.right_at_first = true;
  finding.help = "as before";
  finding.cases = {"after"};
  return finding;
}

CaseRun case_after(const std::string& name, bool failed) {
  CaseRun run;
  run.test.spec.name = name;
  run.before = datasets::Case{};
  if (failed) run.before->spec.faults.allocation = 3;
  return run;
}

MergedFinding shown(const MergedFinding& finding, const std::string& source, std::vector<CaseRun> case_runs) {
  SubmissionRun run;
  run.case_runs = std::move(case_runs);
  std::vector<MergedFinding> findings{finding};
  show_left_by_failure(findings, source, "k.cu", run);
  return findings.front();
}

}  // namespace

TEST_CASE("the only static variable is shown where a call after a failed one is wrong") {
  const MergedFinding made = shown(unwritten(), kStatus, {case_after("after", true)});
  CHECK(made.where.line == 2);
  CHECK_THAT(std::string(made.help), contains_text("`status` still has what the failed call left in it"));
}

TEST_CASE("nothing is shown where a variable is not the only one, or the case is another") {
  const auto line = [](const MergedFinding& finding, const std::string& source, bool failed) {
    return shown(finding, source, {case_after("after", failed)}).where.line;
  };
  CHECK(line(unwritten(), kStatus + "static int second;\n", true) == 0);
  CHECK(line(unwritten(), "void f(int n);\n", true) == 0);
  CHECK(line(unwritten(), kStatus, false) == 0);
  MergedFinding other = unwritten();
  other.right_at_first = false;
  CHECK(line(other, kStatus, true) == 0);
  other = unwritten();
  other.where = {"k.cu", 4, 1};
  CHECK(line(other, kStatus, true) == 4);
  other = unwritten();
  other.cases = {"after", "usual"};
  CHECK(shown(other, kStatus, {case_after("after", true), case_after("usual", false)}).where.line == 0);
}

}  // namespace cudalabs::test::of_left_by_failure
