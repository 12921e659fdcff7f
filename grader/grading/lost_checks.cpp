#include "grading/lost_checks.h"

#include <algorithm>
#include <numeric>

#include "check/judge.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool has_timed_out(const Observation& observed) {
  return std::ranges::find(observed.findings, finding_ids::kTimedOut, &Finding::id) != observed.findings.end();
}

}  // namespace

bool never_ended(const Observation& observed) {
  return observed.end == RunEnd::cpu_limit || observed.end == RunEnd::wall_limit ||
         observed.end == RunEnd::process_limit || observed.end == RunEnd::over_budget || has_timed_out(observed);
}

bool LostChecks::lost_with(const datasets::CaseSpec& spec) const {
  const std::lock_guard lock(mutex_);
  const std::set<std::string>& lost = spec.large ? wrong_ : endless_;
  return !spec.tags.empty() &&
         std::ranges::all_of(spec.tags, [&](const std::string& tag) { return lost.contains(tag); });
}

std::string LostChecks::tried() const {
  const std::lock_guard lock(mutex_);
  return first_;
}

void LostChecks::note(const CaseRun& case_run) {
  const std::vector<std::string>& tags = case_run.test.spec.tags;
  const Observation& observed = case_run.observed;
  // What ran into the wall clock gets another run.
  const bool undecided = observed.end == RunEnd::wall_limit && !observed.idle;
  const bool wrong = !undecided && !gives_right_outputs(observed, case_run.test);
  const std::lock_guard lock(mutex_);
  if (wrong) wrong_.insert(tags.begin(), tags.end());
  // A case that was merely in progress when the budget was used up is not to blame.
  if (!never_ended(observed) || (observed.end == RunEnd::over_budget && !has_timed_out(observed))) return;
  if (first_.empty()) first_ = case_run.test.spec.name;
  endless_.insert(tags.begin(), tags.end());
}

std::vector<std::size_t> running_order(const std::vector<datasets::CaseSpec>& cases) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(order, [&](std::size_t place) { return !cases[place].large; });
  return order;
}

}  // namespace cudalabs
