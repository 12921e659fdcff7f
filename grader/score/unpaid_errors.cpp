// The rule that an error always costs points.
#include "score/unpaid_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "check/case_name.h"
#include "vgpu/check/finding_table.h"

namespace cudalabs {
namespace {

bool failed(const TestOutcome& outcome) {
  return !outcome.failures.empty() || !outcome.errors.empty();
}

TestOutcome* outcome_of(const Check& check, const Lab& lab, std::vector<TestOutcome>& outcomes) {
  const auto found = std::ranges::find_if(
      outcomes, [&](const TestOutcome& ran) { return ran.test.has_tag(lab.id) && ran.test.has_tag(check.id); });
  return found == outcomes.end() ? nullptr : &*found;
}

bool asks_for_none_of(const Check& check, const std::string& id) {
  return std::ranges::any_of(check.asks, [&](const Ask& ask) {
    return std::ranges::any_of(ask.findings, [&](const std::string& name) {
      const std::vector<std::string_view> ids = ids_named(name);
      return std::ranges::find(ids, id) != ids.end();
    });
  });
}

/// A check that asks nothing in lab.toml may look at anything in its cases.
bool failed_for(const TestOutcome& outcome, const Check& check, const MergedFinding& finding) {
  if (!failed(outcome)) return false;
  if (asks_for_none_of(check, finding.id)) return true;
  return std::ranges::any_of(outcome.failed_in, [&](const FailedCase& in) {
    if (in.why == FailedCase::Why::finding && in.id == finding.id) return true;
    return finding.is_seen_in(in.name) && (in.why == FailedCase::Why::symptom || check.asks.empty());
  });
}

bool is_paid(const MergedFinding& finding, const Lab& lab, std::vector<TestOutcome>& outcomes) {
  return std::ranges::any_of(lab.checks, [&](const Check& check) {
    const TestOutcome* outcome = outcome_of(check, lab, outcomes);
    return outcome != nullptr && failed_for(*outcome, check, finding);
  });
}

bool looks_at(const Check& check, const datasets::CaseSpec& spec) {
  return std::ranges::find(spec.tags, check.id) != spec.tags.end();
}

const Check* check_for(const MergedFinding& finding, const Lab& lab) {
  const auto shown_to = [&](const Check& check) {
    return check.category != Category::speed && std::ranges::any_of(lab.cases, [&](const datasets::CaseSpec& spec) {
             return std::ranges::find(finding.cases, spec.name) != finding.cases.end() && looks_at(check, spec);
           });
  };
  const auto on_results = [](const Check& check) { return check.category == Category::correctness; };
  const auto not_on_speed = [](const Check& check) { return check.category != Category::speed; };
  if (auto found = std::ranges::find_if(lab.checks, shown_to); found != lab.checks.end()) return &*found;
  if (auto found = std::ranges::find_if(lab.checks, on_results); found != lab.checks.end()) return &*found;
  const auto found = std::ranges::find_if(lab.checks, not_on_speed);
  return found == lab.checks.end() ? nullptr : &*found;
}

std::string case_text(const MergedFinding& finding, const Lab& lab) {
  if (finding.cases.empty()) return "the submission";
  const auto spec = std::ranges::find(lab.cases, finding.cases.front(), &datasets::CaseSpec::name);
  return spec == lab.cases.end() ? finding.cases.front() : describe(*spec);
}

void charge(TestOutcome& outcome, const MergedFinding& finding, const Lab& lab) {
  std::string text = fmt::format("shows an error:\n{}: {}", case_text(finding, lab), finding.id);
  if (finding.where.known())
    text += fmt::format(" at {}:{}", finding.where.file.substr(finding.where.file.rfind('/') + 1), finding.where.line);
  outcome.failures.push_back(std::move(text));
  outcome.credit = 0;
  outcome.saw_fault = true;
  if (finding.cases.empty()) outcome.failed_in.push_back({"", FailedCase::Why::finding, finding.id, finding.where});
  for (const std::string& name : finding.cases)
    outcome.failed_in.push_back({name, FailedCase::Why::finding, finding.id, finding.where});
}

}  // namespace

void charge_errors(const Lab& lab, const std::vector<MergedFinding>& findings, std::vector<TestOutcome>& outcomes) {
  for (const MergedFinding& finding : findings) {
    if (finding.severity != Severity::error || is_paid(finding, lab, outcomes)) continue;
    const Check* check = check_for(finding, lab);
    TestOutcome* outcome = check == nullptr ? nullptr : outcome_of(*check, lab, outcomes);
    if (outcome != nullptr && !failed(*outcome)) charge(*outcome, finding, lab);
  }
}

}  // namespace cudalabs
