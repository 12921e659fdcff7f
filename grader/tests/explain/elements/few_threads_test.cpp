// Guards that let more threads work than were launched.
#include "explain/elements/few_threads.h"

#include <algorithm>

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kQuadsAndRest = R"(__global__ void add(const float* a, float* c, int n) {
  const int quads = n / 4;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < quads) {
    four(a, c, i);
  } else if (i < quads + n % 4) {
    c[3 * quads + i] = a[3 * quads + i];
  }
}
void run(const float* a, float* c, int n) {
  const int blocks = (n / 4 + 31) / 32;
  add<<<blocks, 32>>>(a, c, n);
}
)";

CaseRun launched(std::int64_t n, std::uint32_t blocks, std::int64_t missing) {
  datasets::Array output = float_matrix("c", 1, n);
  for (std::int64_t i = n - missing; i < n; ++i) poison(output, i);
  CaseRun case_run = case_run_with("case_" + std::to_string(n), expected_matrix(1, n), std::move(output));
  case_run.test.spec.parameters = {{"n", n}};
  case_run.observed.launches.emplace_back().kernel = "add";
  case_run.observed.launches.back().config = {{blocks, 1, 1}, {32, 1, 1}};
  return case_run;
}

struct Shown {
  bool shown = false;
  MergedFinding finding;
};

Shown shown_in(const std::string& source, std::vector<CaseRun> case_runs) {
  SubmissionRun submission_run;
  submission_run.case_runs = std::move(case_runs);
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.where = {"add.cu", 7, 0};
  finding.kernel = "add";
  finding.output = "c";
  finding.reach = Reach::several_each;
  finding.shown = submission_run.case_runs.front().test.spec.name;
  for (const CaseRun& case_run : submission_run.case_runs)
    if (case_run.is_wrong()) finding.cases.push_back(case_run.test.spec.name);
  const bool shown = show_few_threads(finding, source, submission_run);
  return {shown, finding};
}

std::vector<CaseRun> cases() {
  return {launched(127, 1, 2), launched(255, 2, 2), launched(100, 1, 0)};
}

}  // namespace

TEST_CASE("the number of blocks is to blame where the guard lets the next thread work") {
  const auto [shown, finding] = shown_in(kQuadsAndRest, cases());
  CHECK(shown);
  CHECK(finding.where.line == 11);
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 6);
  CHECK(finding.help ==
        "the guard in line 6 lets threads up to 33 work, and threads 0 to 31 are launched: compute the number of "
        "blocks from the number of threads that have something to do, rounded up, here 34");
  CHECK(finding.note.starts_with("line 12 launches the kernel with this `blocks`"));
}

TEST_CASE("a hidden case tells no numbers") {
  std::vector<CaseRun> hidden = cases();
  hidden.front().test.spec.hidden = true;
  CHECK(shown_in(kQuadsAndRest, std::move(hidden))
            .finding.help.starts_with("the guard in line 6 lets more threads work than"));
}

TEST_CASE("nothing is said of a launch that has the threads, or where a right case lacks them, too") {
  CHECK_FALSE(shown_in(kQuadsAndRest, {launched(127, 2, 2), launched(100, 1, 0)}).shown);
  CHECK_FALSE(shown_in(kQuadsAndRest, {launched(127, 1, 2), launched(131, 1, 0)}).shown);
}

TEST_CASE("nothing is said of a store in a loop, or behind a question that the text does not answer") {
  CHECK_FALSE(
      shown_in(replaced(kQuadsAndRest, "  } else if (i < quads + n % 4) {", "  } else while (i < quads + n % 4) {"),
               cases())
          .shown);
  CHECK_FALSE(shown_in(replaced(kQuadsAndRest, "i < quads + n % 4", "i < limit[0]"), cases()).shown);
  CHECK_FALSE(
      shown_in(replaced(kQuadsAndRest, "  const int quads", "#if 1\n#endif\n  const int quads"), cases()).shown);
}

TEST_CASE("launches of several axes, or several of them, say nothing") {
  std::vector<CaseRun> flat = cases();
  flat.front().observed.launches.back().config.block[1] = 2;
  CHECK_FALSE(shown_in(kQuadsAndRest, std::move(flat)).shown);
  std::vector<CaseRun> twice = cases();
  twice.front().observed.launches.push_back(twice.front().observed.launches.back());
  CHECK_FALSE(shown_in(kQuadsAndRest, std::move(twice)).shown);
}

}  // namespace cudalabs::test
