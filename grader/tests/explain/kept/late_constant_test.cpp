// Threads that all turn away, for a member that is set after it was copied.
#include "explain/kept/late_constant.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

const std::string kLate =
    "__constant__ Task task;\n"
    "__global__ void k() {\n"
    "  for (int i = threadIdx.x; i < task.n; i += 9) task.c[i] = 1;\n"
    "}\n"
    "bool launch(Task* t, int n) {\n"
    "  if (!ok(cudaMemcpyToSymbol(task, t, sizeof(Task)), \"cudaMemcpyToSymbol\")) return false;\n"
    "  t->n = n;\n"
    "  k<<<1, 9>>>();\n"
    "}\n";

CaseRun idle(std::vector<vgpu::BranchCount> branches) {
  datasets::Array output = float_matrix("c", 6, 1);
  for (std::int64_t i = 0; i < 6; ++i) poison(output, i);
  CaseRun made = case_run_with("idle", expected_matrix(6, 1), std::move(output));
  made.observed.launches.emplace_back().kernel = "k";
  made.observed.branches = std::move(branches);
  return made;
}

vgpu::BranchCount at_loop(std::uint64_t on, std::uint64_t out) {
  return {{"k.cu", 3, 29}, {{"k.cu", 3, 51}, on}, {{"k.cu", 4, 1}, out}};
}

MergedFinding shown(const CaseRun& case_run, const std::string& source = kLate) {
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(case_run);
  MergedFinding made;
  made.id = finding_ids::kUnwrittenOutput;
  made.output = "c";
  made.where = {"k.cu", 9, 1};
  made.help = "as before";
  if (!show_turned_away(made, source, submission_run)) CHECK(made.help == "as before");
  return made;
}

}  // namespace

TEST_CASE("a member that is set after it was copied is shown beside the condition that no thread passes") {
  CHECK(copied_member_of(kLate, 3) == CopiedMember{"task.n", "task", 6, 7, 3});
  const MergedFinding made = shown(idle({at_loop(0, 9)}));
  CHECK(made.where.line == 7);
  CHECK(made.other->place.line == 3);
  CHECK_THAT(made.help, contains_text("`task.n` was copied to the device in line 6, before this line sets it"));
  CHECK_THAT(made.note, contains_text("no thread of `k` stored anything"));
}

TEST_CASE("without such a line the condition is shown") {
  const MergedFinding made = shown(idle({at_loop(0, 9)}), replaced(kLate, "  t->n = n;\n", ""));
  CHECK(made.where.line == 3);
  CHECK_THAT(made.help, contains_text("no thread goes on from this line"));
  CHECK(made.other->label == "`task` gets its values here");
  CHECK(made.other->place.line == 6);
  CHECK(copied_member_of(replaced(kLate, "t->n = n", "t->m = n"), 3)->set == 0);
  CHECK(copied_member_of(replaced(kLate, "t->n = n", "u->n = n"), 3)->set == 0);
  CHECK_FALSE(copied_member_of(replaced(kLate, "task, t,", "other, t,"), 3));
  CHECK_FALSE(copied_member_of(kLate, 4));
}

TEST_CASE("a condition that all threads passed turned none away") {
  CHECK(shown(idle({at_loop(9, 0)})).help == "as before");
  const std::string guard =
      replaced(kLate, "for (int i = threadIdx.x; i < task.n; i += 9) task", "if (out) return; task");
  CHECK(shown(idle({at_loop(0, 9)}), guard).help == "as before");
}

TEST_CASE("where some threads go on, or something was stored, nothing is said") {
  CHECK(shown(idle({at_loop(3, 6)})).help == "as before");
  CHECK(shown(idle({})).help == "as before");
  CaseRun stored = idle({at_loop(0, 9)});
  stored.observed.writers = {{"", "k", {"k.cu", 3, 1}}};
  CHECK(shown(stored).help == "as before");
  CaseRun twice = idle({at_loop(0, 9)});
  twice.observed.launches.emplace_back().kernel = "l";
  CHECK(shown(twice).help == "as before");
}
