// Outputs that nobody wrote, for no kernel was launched.
#include "explain/elements/absent_launch.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

constexpr std::string_view kLadder = R"(__global__ void level(const float* in, float* out, int n) {}
template <typename T>
void sum(const T* in, T* out, int n) {
  if (n == 0) {
    level<<<1, 256>>>(in, out, 0);
    return;
  }
  int left = n;
  while (left > 1) {
    level<<<left / 2, 256>>>(in, out, left);
    left = next(left);
  }
}
void reduce(const float* in, float* out, int n) { sum(in, out, n); }
)";

CaseRun unwritten(std::int64_t n, std::uint64_t launches) {
  datasets::Array output = float_matrix("c", 1, 1);
  if (launches == 0) poison(output, 0);
  CaseRun case_run = case_run_with("case_" + std::to_string(n), expected_matrix(1, 1), std::move(output));
  case_run.test.spec.parameters = {{"n", n}};
  case_run.observed.end = RunEnd::finished;
  case_run.observed.asked_launches = launches;

  return case_run;
}

MergedFinding explained(std::string_view source, std::vector<CaseRun> case_runs) {
  SubmissionRun submission_run;
  submission_run.case_runs = std::move(case_runs);
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.message = "`c` was never written";
  finding.help = "as before";
  finding.output = "c";
  finding.shown = "case_1";
  finding.cases = {"case_1"};
  std::vector<MergedFinding> findings{std::move(finding)};
  explain_absent_launches(findings, source, "k.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("the loop that is left at once is shown, and not what only the empty case asks") {
  const MergedFinding made = explained(kLadder, {unwritten(1, 0), unwritten(0, 1), unwritten(9, 2), unwritten(70, 3)});
  CHECK(made.message == "no kernel was launched: `c` was never written");
  CHECK(made.where == SourcePlace{"k.cu", 9, 0});
  REQUIRE(made.other);
  CHECK(made.other->place.line == 10);
  CHECK(made.help ==
        "the launch in line 10 is in the loop of line 9, and `left > 1` is false at once with `n` = 1: launch a kernel "
        "that stores `c` in this case, too");
}

TEST_CASE("a hidden case tells no size") {
  CaseRun hidden = unwritten(1, 0);
  hidden.test.spec.hidden = true;
  CHECK(explained(kLadder, {hidden, unwritten(9, 2)}).help.find("`n`") == std::string::npos);
}

TEST_CASE("an early return, and a condition around the launch") {
  const MergedFinding jump =
      explained("void run(float* c, int n) {\n  if (n < 2) return;\n  k<<<1, 32>>>(c, n);\n}\n", {unwritten(1, 0)});
  CHECK(jump.where.line == 2);
  CHECK(jump.help.starts_with("line 2 leaves before the launch in line 3, as `n < 2` in line 2 is true with `n` = 1"));
  const MergedFinding branch = explained(
      "void run(float* c, int n) {\n  const int blocks = n / 256;\n  if (blocks)\n    k<<<1, 32>>>(c, n);\n}\n",
      {unwritten(1, 0)});
  CHECK(branch.where.line == 3);
  CHECK(branch.help.starts_with("the launch in line 4 is made only where `blocks` in line 3 is true, and it is false"));
}

TEST_CASE("a question that the text does not answer is shown where it is the only one") {
  const std::string one = "void run(float* c, int n) {\n  if (ready(c)) k<<<1, 32>>>(c, n);\n}\n";
  CHECK(explained(one, {unwritten(1, 0)}).where.line == 2);
  const std::string two = "void run(float* c, int n) {\n  if (ready(c) || n)\n    if (set(c)) k<<<1, 32>>>(c, n);\n}\n";
  CHECK(explained(two, {unwritten(1, 0)}).where.line == 3);
  const std::string both = "void run(float* c, int n) {\n  if (ready(c))\n    if (set(c)) k<<<1, 32>>>(c, n);\n}\n";
  const MergedFinding open = explained(both, {unwritten(1, 0)});
  CHECK_FALSE(open.where.known());
  CHECK(open.help.starts_with("look at what decides whether the launch is made"));
}

TEST_CASE("checks of errors keep nothing from a launch when nothing failed") {
  const std::string checked =
      "void run(float* c, int n) {\n  if (cudaMalloc(&d, n) != cudaSuccess) return;\n  if (n > 1) k<<<1, 32>>>(c, "
      "n);\n}\n";
  CHECK(explained(checked, {unwritten(1, 0)}).where.line == 3);
}

TEST_CASE("nothing is said where a kernel was launched, or a call failed") {
  CHECK(explained(kLadder, {unwritten(1, 1)}).message == "`c` was never written");
  CaseRun failed = unwritten(1, 0);
  failed.observed.refused = WatchedCall{};
  CHECK(explained(kLadder, {failed}).help == "as before");
  CaseRun ended = unwritten(1, 0);
  ended.observed.end = RunEnd::crashed;
  CHECK(explained(kLadder, {ended}).help == "as before");
}

}  // namespace cudalabs::test
