// Rubric and outcomes to points.
#include "score/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace cudalabs {
namespace {

bool decides(const TestCase& test, const Lab& lab, const Check& check) {
  return test.has_tag(lab.id) && test.has_tag(check.id);
}

auto outcome_of(const Check& check, const Lab& lab, const std::vector<TestOutcome>& outcomes) {
  return std::ranges::find_if(outcomes, [&](const TestOutcome& ran) { return decides(ran.test, lab, check); });
}

std::string join(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

CheckResult blank(const Check& check) {
  CheckResult result;
  result.id = check.id;
  result.title = check.title;
  result.category = check.category;
  result.max = check.points;
  return result;
}

/// The result of a check by its own test case alone.
CheckResult own_result(const Lab& lab, const Check& check, const std::vector<TestCase>& registered,
                       const std::vector<TestOutcome>& outcomes) {
  CheckResult result = blank(check);
  const auto deciding =
      std::ranges::count_if(registered, [&](const TestCase& test) { return decides(test, lab, check); });
  if (deciding != 1) {
    result.message = fmt::format("{} test cases are tagged [{}][{}], not one", deciding, lab.id, check.id);
    return result;
  }
  const auto outcome = outcome_of(check, lab, outcomes);
  if (outcome == outcomes.end()) {
    result.status = CheckStatus::skipped;
    result.message = kNotSelected;
  } else if (!outcome->errors.empty()) {
    result.message = join(outcome->errors);
  } else if (!outcome->failures.empty()) {
    result.status = CheckStatus::failed;
    result.message = join(outcome->failures);
    if (!outcome->explained) result.help = check.help;
    result.points = check.points * outcome->credit;
  } else {
    result.status = CheckStatus::passed;
    result.message = outcome->unseen;
  }
  return result;
}

/// The needs of `check` that did not pass, but for those that nobody asked about.
std::vector<std::string> unmet_needs(const Check& check, const std::vector<CheckResult>& results) {
  std::vector<std::string> unmet;
  for (const std::string& need : check.needs) {
    const auto needed = std::ranges::find(results, need, &CheckResult::id);
    const bool met =
        needed != results.end() && (needed->status == CheckStatus::passed || needed->message == kNotSelected);
    if (!met) unmet.push_back(need);
  }
  return unmet;
}

/// True when a check failed for what it saw of synchronisation, which needs no other check to be believed.
bool stands_alone(const Check& check, const Lab& lab, const std::vector<TestOutcome>& outcomes) {
  if (check.category != Category::sync) return false;
  const auto outcome = outcome_of(check, lab, outcomes);
  return outcome != outcomes.end() && outcome->saw_fault;
}

/// Skips checks whose needs are unmet; true when there was one. One check may need another that stands later, so this
/// is to be repeated until nothing changes.
bool skip_unmet(const Lab& lab, const std::vector<TestOutcome>& outcomes, std::vector<CheckResult>& results) {
  bool changed = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    CheckResult& result = results[i];
    if (result.status != CheckStatus::passed && result.status != CheckStatus::failed) continue;
    const std::vector<std::string> unmet = unmet_needs(lab.checks[i], results);
    if (unmet.empty() || stands_alone(lab.checks[i], lab, outcomes)) continue;
    result.status = CheckStatus::skipped;
    result.message = fmt::format("needs `{}` to pass first", fmt::join(unmet, "` and `"));
    result.help.clear();
    result.points = 0;
    changed = true;
  }
  return changed;
}

}  // namespace

std::vector<CheckResult> score(const Lab& lab, const std::vector<TestCase>& registered,
                               const std::vector<TestOutcome>& outcomes) {
  std::vector<CheckResult> results;
  for (const Check& check : lab.checks) results.push_back(own_result(lab, check, registered, outcomes));
  while (skip_unmet(lab, outcomes, results)) {
  }
  for (CheckResult& result : results) {
    if (result.status == CheckStatus::passed) result.points = result.max;
  }
  return results;
}

std::vector<CheckResult> score_of_broken(const Lab& lab, const std::string& message) {
  std::vector<CheckResult> results;
  for (const Check& check : lab.checks) {
    results.push_back(blank(check));
    results.back().message = message;
  }
  return results;
}

Total total(const std::vector<CheckResult>& results) {
  Total sum;
  for (const CheckResult& result : results) {
    sum.points += result.points;
    sum.max += result.max;
  }
  return sum;
}

}  // namespace cudalabs
