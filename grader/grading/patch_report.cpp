#include "grading/patch_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "text/enumeration.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/finding_table.h"

namespace cudalabs {
namespace {

/// Whether general help leaves open what to change of what the finding is about. It does not where it says how threads
/// are to meet or to wait for each other. Where a run has ended early, a change rarely lets it go on.
bool is_open(const Finding& finding) {
  const FindingKind* kind = finding_kind(finding.id);
  if (kind == nullptr || finding.id == finding_ids::kUnsupportedCall) return false;
  switch (kind->stage) {
    case Stage::call:
    case Stage::launch:
    case Stage::variable:
    case Stage::access:
    case Stage::reading:
    case Stage::output:
      return true;
    case Stage::deciding:
    case Stage::together:
    case Stage::order:
      return finding.help.advises(Advice::which_work);
    case Stage::build:
    case Stage::no_effect:
    case Stage::ending:
    case Stage::manners:
    case Stage::remark:
      break;
  }
  return false;
}

/// The help does not say what to change.
bool leaves_open(const Finding& finding) {
  switch (finding.help.scope) {
    case HelpScope::change:
      break;
    case HelpScope::place:
      return true;
    case HelpScope::general:
      return is_open(finding);
  }
  return false;
}

std::string outcome_with(const HelpfulPatch& helpful) {
  const std::string text = "the program passes every check";
  return helpful.failing.empty() ? text : text + " but " + enumeration_of_names(helpful.failing);
}

/// "with `||` in place of `&&` in line 37, the program passes every check".
std::string help_of(const HelpfulPatch& helpful, bool is_shown_line) {
  const std::string& words = helpful.patch.words;
  std::string line = is_shown_line ? std::string("this line") : fmt::format("line {}", helpful.where.line);
  for (const std::uint32_t other : helpful.also) line += fmt::format(", or else in line {}", other);
  return fmt::format("{}{}{} in {}, {}", helpful.reason.empty() ? "" : helpful.reason + ": ",
                     words.starts_with("without ") ? "" : "with ", words, line, outcome_with(helpful));
}

/// What a check says of all its cases, and of the first one.
std::string first_reason(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::string(text);
  const std::string_view rest = text.substr(end + 1);
  return fmt::format("{} {}", text.substr(0, end), rest.substr(0, rest.find('\n')));
}

/// Of a check that no finding explains: the others' numbers move on by one.
void add_finding(Report& report, const HelpfulPatch& helpful) {
  Finding finding;
  finding.id = finding_ids::kLikelyCause;
  finding.where = helpful.where;
  finding.message = "this line is why a check fails";
  for (CheckResult& check : report.checks) {
    for (std::size_t& number : check.because) ++number;
    if (check.id != report.first_check) continue;
    finding.message = fmt::format("this line is why `{}` fails", check.id);
    finding.note = first_reason(check.message);
    check.because = {1};
  }
  report.findings.insert(report.findings.begin(), std::move(finding));
  report.first_check.clear();
}

}  // namespace

const CheckResult* check_of(const Report& report, std::string_view id) {
  const auto check = std::ranges::find(report.checks, id, &CheckResult::id);
  return check == report.checks.end() ? nullptr : &*check;
}

std::string check_of_changes(const Report& report) {
  if (!report.first_check.empty() || report.findings.empty()) return report.first_check;
  if (!report.findings.front().help.advises(Advice::free_each)) return {};
  const auto failed = std::ranges::find_if(report.checks, [](const CheckResult& check) {
    return check.status == CheckStatus::failed && check.category == Category::quality &&
           std::ranges::find(check.because, 1U) != check.because.end();
  });
  return failed == report.checks.end() ? std::string() : failed->id;
}

bool fails_by_error(const Report& report, const CheckResult& check) {
  return check.category == Category::speed && std::ranges::any_of(check.because, [&](std::size_t number) {
           return number >= 1 && number <= report.findings.size() &&
                  report.findings[number - 1].severity == Severity::error;
         });
}

bool is_worth_patches(const Report& report, bool proposes) {
  const bool falls_short = std::ranges::any_of(report.checks, [](const CheckResult& check) {
    return check.status == CheckStatus::failed && check.category != Category::speed;
  });
  const bool is_broken = std::ranges::any_of(report.checks, [](const CheckResult& check) {
    return check.status == CheckStatus::error ||
           (check.status != CheckStatus::passed && check.category == Category::build);
  });
  if (!falls_short || is_broken) return false;
  if (!report.first_check.empty()) {
    const CheckResult* first = check_of(report, report.first_check);
    return first != nullptr && first->category != Category::speed;
  }
  if (report.findings.empty()) return false;
  if (!check_of_changes(report).empty()) return true;
  const Finding& finding = report.findings.front();
  return finding.severity == Severity::error && finding.id != finding_ids::kUnfinished &&
         (proposes || leaves_open(finding));
}

void show_patch(Report& report, const HelpfulPatch& helpful) {
  if (!report.first_check.empty() || report.findings.empty()) add_finding(report, helpful);
  Finding& finding = report.findings.front();
  if (!finding.where.known()) finding.where = helpful.where;
  const bool is_shown_line = finding.where.file == helpful.where.file && finding.where.line == helpful.where.line;
  const char* label = helpful.also.empty() ? "this is to be changed" : "this may be changed";
  if (!is_shown_line) finding.other = OtherPlace{label, helpful.where, {}, {}};
  finding.help = help_of(helpful, is_shown_line);
}

}  // namespace cudalabs
