// One variable after the other is set back before launches, in the first wrong case that knows it.
#include "grading/leftover_values.h"

#include <algorithm>
#include <set>

#include "check/measured_cases.h"
#include "explain/kept/kept_value.h"
#include "grading/second_run.h"
#include "sandbox/budget.h"

namespace cudalabs {
namespace {

/// More variables are not tried.
constexpr std::size_t kMostTried = 4;

bool may_be_asked(const CaseRun& case_run) {
  return !case_run.test.spec.faults.any() && !case_run.observed.kept_values.empty() &&
         !never_ended(case_run.observed) && !is_right(case_run.observed, case_run.test);
}

const KeptValue* value_of(std::uint32_t variable, const CaseRun& case_run) {
  const auto& kept = case_run.observed.kept_values;
  const auto found =
      std::ranges::find_if(kept, [&](const KeptValue& value) { return value.variable.number == variable; });
  return found == kept.end() ? nullptr : &*found;
}

bool is_right_without(std::uint32_t variable, const CaseRun& case_run, const AuditSetup& setup) {
  RunRequest request = run_again(case_run, setup);
  request.reset_variables = std::uint64_t{1} << variable;
  return is_right(run(request), case_run.test);
}

}  // namespace

void find_leftover_values(std::vector<CaseRun>& case_runs, const AuditSetup& setup) {
  std::set<std::uint32_t> tried;
  const auto goes_on = [&] {
    return setup.budget == nullptr || setup.budget->spent() == sandbox::Budget::Spent::nothing;
  };
  for (CaseRun& case_run : case_runs) {
    if (!may_be_asked(case_run)) continue;
    for (const KeptValue& value : std::vector(case_run.observed.kept_values)) {
      const std::uint32_t variable = value.variable.number;
      if (tried.contains(variable)) continue;
      if (tried.size() == kMostTried || !goes_on()) return;
      tried.insert(variable);
      if (!is_right_without(variable, case_run, setup)) continue;
      for (CaseRun& other : case_runs) {
        const KeptValue* kept = may_be_asked(other) ? value_of(variable, other) : nullptr;
        if (kept == nullptr) continue;
        if (&other != &case_run && (!goes_on() || !is_right_without(variable, other, setup))) return;
        other.observed.findings.push_back(leftover_value(*kept));
      }
      return;
    }
  }
}

}  // namespace cudalabs
