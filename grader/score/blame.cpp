// Which checks failed because of which findings, and what to fix first.
#include "score/blame.h"

#include <algorithm>
#include <optional>
#include <set>

#include "check/cause_order.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using Numbers = std::set<std::size_t>;  // of findings, from 1

/// Something that makes results wrong, and not only a sign that they could be. What comes first in a case is blamed, so
/// that a launch that nobody asks about is blamed only where nothing else is wrong.
bool spoils_results(const Finding& finding) {
  const FindingKind kind = cause_kind(finding);
  if (kind.spoils == Spoils::refused) return true;
  const bool may_be_why = kind.stage == Stage::no_effect || kind.stage == Stage::variable;
  return kind.stage < Stage::manners && (finding.severity == Severity::error || may_be_why);
}

bool is_line(const SourcePlace& place, const SourcePlace& other) {
  return place.file == other.file && place.line == other.line;
}

/// A finding may stand at its cause, and have the place where it was seen beside it.
bool explains(const MergedFinding& finding, const FailedCase& failed) {
  // What a case would have shown that got little time after an endless one, nobody knows.
  const bool is_endless = finding.id == finding_ids::kTimedOut || finding.id == finding_ids::kTimeBudget;
  if (!failed.after.empty() && is_endless && finding.is_seen_in(failed.after)) return true;
  if (!finding.is_seen_in(failed.name)) return false;
  switch (failed.why) {
    case FailedCase::Why::symptom:
      return spoils_results(finding);
    case FailedCase::Why::finding:
      if (cause_kind(finding).stage == Stage::no_effect) return true;
      return finding.id == failed.id &&
             (is_line(finding.where, failed.where) || (finding.other && is_line(finding.other->place, failed.where)));
    case FailedCase::Why::own:
      break;
  }
  return false;
}

/// The first finding that explains each of the cases; nothing where one has no such finding.
std::optional<Numbers> reasons_of(const TestOutcome& outcome, const std::vector<MergedFinding>& findings) {
  Numbers numbers;
  for (const FailedCase& failed : outcome.failed_in) {
    const auto found = std::ranges::find_if(findings, [&](const auto& finding) { return explains(finding, failed); });
    if (found == findings.end()) return std::nullopt;
    numbers.insert(static_cast<std::size_t>(found - findings.begin()) + 1);
  }
  return numbers;
}

/// The reasons of what `check` needs and does not have; nothing where one of them has none.
std::optional<Numbers> reasons_of_needs(const Check& check, const std::vector<CheckResult>& results) {
  Numbers numbers;
  for (const std::string& need : check.needs) {
    const auto needed = std::ranges::find(results, need, &CheckResult::id);
    if (needed == results.end() || needed->status == CheckStatus::passed) continue;
    if (needed->because.empty()) return std::nullopt;
    numbers.insert(needed->because.begin(), needed->because.end());
  }
  return numbers;
}

bool is_unexplained(const CheckResult& result) {
  return result.status == CheckStatus::failed && result.because.empty();
}

/// How things are done comes before what comes of it, and that before how good it is.
int order_of(Category category) {
  switch (category) {
    case Category::build:
      return 0;
    case Category::sync:
      return 1;
    case Category::correctness:
      return 2;
    case Category::quality:
      return 3;
    case Category::speed:
      return 4;
  }
  return 5;
}

}  // namespace

void blame(std::vector<CheckResult>& results, const Lab& lab, const std::vector<TestOutcome>& outcomes,
           const std::vector<MergedFinding>& findings) {
  // What a check needs stands before it.
  for (std::size_t i = 0; i < results.size(); ++i) {
    CheckResult& result = results[i];
    std::optional<Numbers> numbers;
    if (result.status == CheckStatus::skipped) {
      numbers = reasons_of_needs(lab.checks[i], results);
    } else if (result.status == CheckStatus::failed) {
      const auto outcome = std::ranges::find_if(
          outcomes, [&](const TestOutcome& ran) { return ran.test.has_tag(lab.id) && ran.test.has_tag(result.id); });
      if (outcome != outcomes.end()) numbers = reasons_of(*outcome, findings);
    }
    if (numbers) result.because.assign(numbers->begin(), numbers->end());
  }
}

std::string first_check(const std::vector<CheckResult>& results, const std::vector<MergedFinding>& findings) {
  const auto stage = findings.empty() ? Stage::remark : cause_kind(findings.front()).stage;
  if (stage < Stage::manners) return {};
  const CheckResult* first = nullptr;
  for (const CheckResult& result : results) {
    if (is_unexplained(result) && (first == nullptr || order_of(result.category) < order_of(first->category)))
      first = &result;
  }
  if (first == nullptr) return {};
  const bool on_results = order_of(first->category) < order_of(Category::quality);
  // What costs nothing comes after what does.
  const bool costs_nothing = stage == Stage::manners && findings.front().severity != Severity::error &&
                             std::ranges::none_of(results, [](const CheckResult& result) {
                               return std::ranges::find(result.because, 1u) != result.because.end();
                             });
  const bool loses = first->category == Category::quality && costs_nothing;
  return on_results || stage != Stage::manners || loses ? first->id : std::string();
}

}  // namespace cudalabs
