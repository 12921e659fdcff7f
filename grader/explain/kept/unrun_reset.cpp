// The text has the reset and its condition; how many threads went on to it, the run has counted.
#include "explain/kept/unrun_reset.h"

#include <fmt/format.h>

#include <algorithm>

#include "source/condition_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestReset = 60;

/// "0u" -> "0".
std::string_view without_suffix(std::string_view number) {
  while (!number.empty() && std::string_view("uUlL").find(number.back()) != kNowhere) number.remove_suffix(1);
  return number;
}

/// "0" of "next = 0;" and of "atomicExch(&next, 0u)", of a name at that place; empty: it sets nothing there.
std::string_view value_set_at(std::string_view code, std::size_t at, std::string_view name) {
  const std::size_t behind = past_spaces(code, at + name.size());
  if (behind + 1 >= code.size()) return {};
  const bool assigns = code[behind] == '=' && code[behind + 1] != '=';
  const std::size_t sign = before_spaces(code, at);
  const std::size_t open = sign == kNowhere || code[sign] != '&' ? kNowhere : before_spaces(code, sign);
  const bool exchanges =
      code[behind] == ',' && open != kNowhere && code[open] == '(' && word_before(code, open) == "atomicExch";
  if (!assigns && !exchanges) return {};
  const std::size_t value = past_spaces(code, behind + 1), end = end_of_word(code, value);
  const std::size_t next = past_spaces(code, end);
  const bool whole = next < code.size() && code[next] == (assigns ? ';' : ')');
  return whole ? without_suffix(code.substr(value, end - value)) : std::string_view();
}

/// Whether the case is one in which every launch found the variable as it was at first: in those of the finding a later
/// launch may come to the reset by what an earlier one has left.
bool begins_as_at_first(const MergedFinding& finding, const CaseRun& case_run) {
  return !finding.is_seen_in(case_run.test.spec.name);
}

/// In all such cases threads decided whether they go on to the reset, if any thread came there, and none did.
bool no_thread_came(const MergedFinding& finding, const ResetText& reset, std::string_view code,
                    const SubmissionRun& submission_run) {
  bool decided = false;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!begins_as_at_first(finding, case_run)) continue;
    for (const vgpu::BranchCount& branch : case_run.observed.branches) {
      if (branch.where.file != finding.where.file) continue;
      for (const vgpu::BranchSide* side : {&branch.next, &branch.other}) {
        const std::size_t to = side->to.known() ? place_of_line(code, side->to.line, side->to.column) : kNowhere;
        if (to == kNowhere || to < reset.body || to >= reset.end) continue;
        if (side->threads != 0) return false;
        decided = true;
      }
    }
  }
  return decided;
}

void show_reset(MergedFinding& finding, const ResetText& reset) {
  if (finding.other && finding.other->place.known() && finding.other->place.line != reset.line)
    finding.note.insert(0, fmt::format("{}: line {}\n", finding.other->label, finding.other->place.line));
  finding.other = OtherPlace{"this sets it back, and no thread came here", {finding.where.file, reset.line, 0}, {}, {}};
  const bool shown = reset.condition.size() <= kLongestReset && reset.condition.find('\n') == kNowhere;
  finding.help = fmt::format(
      "in a launch that begins with {0} no thread finds {1} true, so line {2} does not set `{3}` back to {0}: which "
      "thread uses it last, and what does it find there?",
      finding.first_value, shown ? fmt::format("`{}`", reset.condition) : "the condition there", reset.line,
      finding.access.array);
}

}  // namespace

std::optional<ResetText> only_reset_of(std::string_view code, std::string_view name, std::string_view value) {
  if (name.empty() || value.empty()) return std::nullopt;
  const std::vector<BodyPlace> bodies = body_places(code);
  std::size_t found = kNowhere;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != name || !bodies[at].device || value_set_at(code, at, name) != value) return;
    several = several || found != kNowhere;
    found = at;
  });
  if (several || found == kNowhere) return std::nullopt;
  std::optional<ResetText> reset;
  for (const ConditionText& each : conditions_of(code)) {
    if (each.body <= found && found < each.end_of_body)
      reset = ResetText{line_at(code, found), each.condition, each.body, each.end_of_body};
  }
  return reset;
}

void show_unrun_resets(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kLeftoverValue || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const auto reset = only_reset_of(code, finding.access.array, finding.first_value);
    if (reset && no_thread_came(finding, *reset, code, submission_run)) show_reset(finding, *reset);
  }
}

}  // namespace cudalabs
