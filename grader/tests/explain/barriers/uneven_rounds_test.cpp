// Barriers in loops that have more rounds for some threads, and in others.
#include "explain/barriers/uneven_rounds.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// Two halves of a block take the phases by turns.
const std::string kHalves =
    "__global__ void k(float* c, int n) {\n"
    "  const int z = threadIdx.z;\n"
    "  const int phases = (n + 15) / 16;\n"
    "  for (int t = z; t < phases; t += 2) {\n"
    "    load(t);\n"
    "    __syncthreads();\n"
    "  }\n"
    "  __syncthreads();\n"
    "}\n"
    "void f(float* c, int n) { k<<<4, dim3(16, 16, 2)>>>(c, n); }\n";

SubmissionRun run_with(std::int64_t n, bool hidden = false) {
  SubmissionRun submission_run;
  CaseRun made = case_run_with("odd", expected_matrix(4, 4), float_matrix("c", 4, 4));
  made.test.spec.parameters["n"] = n;
  made.test.spec.hidden = hidden;
  made.observed.launches.emplace_back().kernel = "k";
  made.observed.launches.back().config = {{4, 1, 1}, {16, 16, 2}};
  submission_run.case_runs.push_back(std::move(made));
  return submission_run;
}

MergedFinding exited_at(std::uint32_t line) {
  MergedFinding made{finding(std::string(finding_ids::kBarrierDivergence), line), {"odd"}};
  made.where.file = "k.cu";
  made.kernel = "k";
  made.missed_barrier = MissedBarrier::exited;
  made.note = "256 threads here";
  made.help = "as before";
  return made;
}

MergedFinding explained(MergedFinding made, const std::string& source, const SubmissionRun& submission_run) {
  std::vector<MergedFinding> findings{std::move(made)};
  show_uneven_rounds(findings, source, "k.cu", submission_run);
  return findings.front();
}

std::string help_of(const std::string& source, std::int64_t n = 48) {
  return explained(exited_at(6), source, run_with(n)).help;
}

}  // namespace

TEST_CASE("a loop is shown that begins at another number in each half of the block") {
  const MergedFinding made = explained(exited_at(6), kHalves, run_with(48));
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 4, 3});
  CHECK(made.other->label == "this loop has more rounds for some threads than for others");
  CHECK(made.note ==
        "in case `odd` thread (0, 0, 0) makes 2 rounds of the loop, and thread (0, 0, 1) 1\n256 threads here");
  CHECK(made.help ==
        "`t` begins with `z`, which is not the same for all threads of the block: let all make the same number of "
        "rounds of the loop in line 4, put the work that only some have into an `if`, and let all reach the barrier");
}

TEST_CASE("an end or a step that is not the same for all threads is named") {
  const std::string from_0 = replaced(kHalves, "t = z", "t = 0");
  CHECK_THAT(help_of(replaced(from_0, "t < phases", "t < phases - 2 * z")),
             contains_text("`t` goes to `phases - 2 * z`"));
  CHECK_THAT(help_of(replaced(from_0, "t += 2", "t += 1 + z")), contains_text("`t` goes on by `1 + z`"));
}

TEST_CASE("threads that wait at different barriers keep the other place") {
  MergedFinding made = exited_at(8);
  made.missed_barrier = MissedBarrier::waits_elsewhere;
  made.other = OtherPlace{"others wait at this barrier", {"k.cu", 6, 5}, {}, {}};
  made = explained(made, kHalves, run_with(48));
  CHECK_THAT(made.help, contains_text("`t` begins with `z`"));
  CHECK(made.other->place.line == 6);
}

TEST_CASE("no numbers are told of a hidden case") {
  const MergedFinding made = explained(exited_at(6), kHalves, run_with(48, true));
  CHECK_THAT(made.help, contains_text("`t` begins with `z`"));
  CHECK(made.note == "256 threads here");
}

TEST_CASE("a loop with as many rounds for all threads is not to blame") {
  CHECK(help_of(kHalves, 64) == "as before");
  CHECK(help_of(replaced(kHalves, "t = z", "t = 0")) == "as before");
  CHECK(explained(exited_at(8), kHalves, run_with(48)).help == "as before");  // outside of the loop
}

TEST_CASE("a loop of which more is not known is not to blame") {
  CHECK(help_of(replaced(kHalves, "t < phases", "t < ends[z]")) == "as before");
  CHECK(help_of(replaced(kHalves, "load(t);", "if (t > n) break;")) == "as before");
  CHECK(help_of(replaced(kHalves, "load(t);", "if (t > n) continue;")) == "as before");
  MergedFinding conditional = exited_at(6);
  conditional.where.column = 17;
  CHECK(
      explained(conditional, replaced(kHalves, "__syncthreads()", "if (z == 0) __syncthreads()"), run_with(48)).help ==
      "as before");
}

TEST_CASE("a condition that is known to be why stays") {
  MergedFinding made = exited_at(6);
  made.other = OtherPlace{"the exited threads left here", {"k.cu", 2, 3}, {}, {}};
  CHECK(explained(made, kHalves, run_with(48)).help == "as before");
  made.other->place.line = 4;
  CHECK_THAT(explained(made, kHalves, run_with(48)).help, contains_text("`t` begins with `z`"));
}

TEST_CASE("a barrier in a loop with uneven rounds is shown where threads part behind it") {
  const std::string source = replaced(kHalves, "  __syncthreads();\n}", "  __syncthreads();\n  __syncthreads();\n}");
  MergedFinding made = exited_at(9);
  made.missed_barrier = MissedBarrier::waits_elsewhere;
  made.other = OtherPlace{"others wait at this barrier", {"k.cu", 8, 3}, {}, {}, PlaceRole::barrier};
  const MergedFinding shown = explained(made, source, run_with(48));
  REQUIRE(shown.other);
  CHECK(shown.other->place.line == 6);
  CHECK(shown.other->label == "the loop of line 4 has more rounds for some threads");
  CHECK_THAT(shown.note, contains_text("in case `odd` thread (0, 0, 0) makes 2 rounds of the loop"));
  CHECK_THAT(shown.help, contains_text("so some come to the barrier of line 6 once more: take it out of the loop"));
  // Equal rounds, a condition that is known, and another function have nothing to do with it.
  CHECK(explained(made, source, run_with(64)).other->place.line == 8);
  made.barrier.condition = 5;
  CHECK(explained(made, source, run_with(48)).other->place.line == 8);
  made.barrier.condition = 0;
  made.where.line = 11;
  CHECK(explained(made, source, run_with(48)).other->place.line == 8);
}

TEST_CASE("a loop whose end is not known is shown where nothing else can have parted the threads") {
  const std::string source = replaced(replaced(kHalves, "t < phases", "t < ends"), "  __syncthreads();\n}",
                                      "  __syncthreads();\n  __syncthreads();\n}");
  MergedFinding made = exited_at(9);
  made.missed_barrier = MissedBarrier::waits_elsewhere;
  made.other = OtherPlace{"others wait at this barrier", {"k.cu", 8, 3}, {}, {}, PlaceRole::barrier};
  const MergedFinding shown = explained(made, source, run_with(48));
  CHECK(shown.other->place.line == 6);
  CHECK_THAT(shown.help, contains_text("`t` begins with `z`"));
  CHECK(shown.other->label == "the loop of line 4 may have more rounds for some threads");
  CHECK_THAT(shown.help, contains_text("so some may come to the barrier of line 6 once more"));
  CHECK_FALSE(shown.note.starts_with("in case"));
  CHECK(explained(made, replaced(source, "t = z", "t = 0"), run_with(48)).other->place.line == 8);
  const std::string conditional = replaced(source, "  __syncthreads();\n}", "  if (n > z) __syncthreads();\n}");
  CHECK(explained(made, conditional, run_with(48)).other->place.line == 8);
}

}  // namespace cudalabs::test
