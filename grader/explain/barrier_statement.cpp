#include "explain/barrier_statement.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/statement_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The number behind `words` in the text.
std::optional<std::uint32_t> number_behind(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  std::uint32_t number = 0;
  const char* begin = text.data() + at + words.size();
  const bool is_number = std::from_chars(begin, text.data() + text.size(), number).ec == std::errc();
  return is_number ? std::optional(number) : std::nullopt;
}

/// The function that has the barrier, where the statement is in another one and calls it; else empty.
std::string_view barrier_call(std::string_view code, const StatementText& statement, std::uint32_t barrier) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (statement.holds(barrier) || barrier == 0 || barrier > lines.size()) return {};
  const auto place_of = [&](std::uint32_t line) {
    return static_cast<std::size_t>(lines[line - 1].data() - code.data());
  };
  const std::string_view name = defined_around(code, place_of(barrier));
  if (name.empty() || name == defined_around(code, place_of(statement.line))) return {};
  for (std::uint32_t line = statement.line; line <= statement.last_line; ++line) {
    const std::string_view text = lines[line - 1];
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + name.size())) {
      const std::size_t end = at + name.size();
      const bool whole = (at == 0 || !is_word_letter(text[at - 1])) && end_of_word(text, at) == end;
      if (whole && text.substr(past_spaces(text, end)).starts_with('(')) return name;
    }
  }
  return {};
}

/// What keeps threads from a barrier that an `if` does not decide about: the jump that it leads to, where it passes the
/// barrier.
std::optional<JumpText> jump_past(std::string_view code, const ConditionText& condition, std::size_t barrier) {
  const auto jump = barrier >= condition.end ? only_jump_of(code, condition) : std::nullopt;
  if (!jump || jump->word == "return") return jump;
  const LoopText* innermost = nullptr;
  const std::vector<LoopText> loops = loops_of(code);
  for (const LoopText& loop : loops)
    if (loop.body <= condition.begin && condition.begin < loop.end) innermost = &loop;
  return innermost != nullptr && barrier < innermost->end ? jump : std::nullopt;
}

/// A barrier outside of the `if` that keeps threads from it.
void name_jump(MergedFinding& finding, std::string_view code, std::uint32_t line) {
  const std::size_t barrier = place_of_line(code, finding.where.line, finding.where.column);
  if (barrier == kNowhere || finding.where.line == line) return;
  std::optional<ConditionText> condition;
  for (const ConditionText& each : conditions_of(code)) {
    if (each.line != line) continue;
    if (condition) return;
    condition = each;
  }
  const bool outside = condition && !condition->decides_about(barrier) &&
                       defined_around(code, barrier) == defined_around(code, condition->begin);
  if (!outside) return;
  const auto jump = jump_past(code, *condition, barrier);
  const std::string_view what = !jump                      ? ""
                                : jump->word == "continue" ? "skips it"
                                : jump->word == "break"    ? "leaves the loop before it"
                                                           : "ends threads before it";
  finding.help =
      jump ? fmt::format(
                 "every thread must reach the barrier, and the `{}` in line {} {}: let these threads store zeros, or "
                 "put an `if` around the work, and let all still reach the barrier",
                 jump->word, jump->line, what)
           : fmt::format(
                 "every thread must reach the barrier, and as often as the others: the condition in line {} keeps some "
                 "from it; idle threads skip the work, not the barrier",
                 line);
}

/// A condition that keeps threads from a barrier.
void name_kind(MergedFinding& finding, std::string_view code) {
  const auto line = number_behind(finding.help, "out of the `if` at line ");
  const auto statement = line ? statement_in(code, *line) : std::nullopt;
  if (!statement) return;
  const std::string_view call = barrier_call(code, *statement, finding.where.line);
  if (call.empty() && statement->word == "if") return name_jump(finding, code, *line);
  const std::string what = call.empty() ? "`__syncthreads()`" : fmt::format("the call of `{}`, which has it,", call);
  if (statement->kind == StatementKind::loop) {
    finding.help = fmt::format(
        "every thread must reach the barrier equally often: let all threads of the block make the same number of "
        "rounds of the loop in line {}, and let idle threads skip the work, but not {}",
        *line, call.empty() ? "the barrier" : fmt::format("the call of `{}`, which has it", call));
  } else {
    finding.help = fmt::format(
        "every thread must reach the barrier: move {} out of the `{}` at line {}; idle threads skip the work, not the "
        "barrier",
        what, statement->word, *line);
  }
}

void replace_first(std::string& text, std::string_view old, std::string_view fresh) {
  const std::size_t at = text.find(old);
  if (at != std::string::npos) text.replace(at, old.size(), fresh);
}

/// A barrier that is missing after a line, or before one, that a condition keeps threads from.
void name_end(MergedFinding& finding, std::string_view code) {
  constexpr std::string_view kAsked = ", where the condition in line ";
  const auto guard = number_behind(finding.help, kAsked);
  const auto statement = guard ? statement_in(code, *guard) : std::nullopt;
  if (!statement || statement->kind == StatementKind::conditional) return;
  std::string help = finding.help.substr(0, finding.help.find(kAsked));
  if (const auto after = number_behind(help, "after line "); after && statement->holds(*after)) {
    replace_first(
        help, fmt::format("after line {}", *after),
        fmt::format("after line {}, behind the whole `{}` of line {}", statement->last_line, statement->word, *guard));
  } else if (const auto first = number_behind(help, "between line "), last = number_behind(help, " and line ");
             first && last && statement->holds(*first) && statement->last_line < *last) {
    replace_first(
        help, fmt::format("between line {}", *first),
        fmt::format("between line {}, the end of the `{}` of line {},", statement->last_line, statement->word, *guard));
  } else if (first && last && statement->holds(*last) && *first < statement->line) {
    replace_first(help, fmt::format("and line {}", *last),
                  fmt::format("and line {}, before the `{}`", statement->line, statement->word));
  } else {
    return;
  }
  finding.help = help;
}

}  // namespace

void name_barrier_statement(MergedFinding& finding, std::string_view source) {
  const bool diverges = finding.id == finding_ids::kBarrierDivergence;
  if (!diverges && finding.id != finding_ids::kSharedRace) return;
  const std::string code = without_comments(source);
  if (diverges)
    name_kind(finding, code);
  else
    name_end(finding, code);
}

}  // namespace cudalabs
