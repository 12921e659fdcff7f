#include "explain/barriers/missing_barrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "explain/barriers/small_barrier.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/own_words.h"
#include "source/statement_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/barrier_phrases.h"

namespace cudalabs {
namespace {

std::size_t place_of_access(std::string_view code, const MergedFinding& finding, std::uint32_t line) {
  const SourcePlace &here = finding.where, &other = finding.other->place;
  const std::uint32_t column = here.line == line ? here.column : other.line == line ? other.column : 0;
  return place_of_line(code, line, column);
}

/// What is around one access alone.
struct Around {
  std::string_view word;
  std::uint32_t line = 0, last_line = 0;
};

/// The outermost statement with the place, its head included, that does not have the other one; both are of one
/// function.
std::optional<Around> outermost_around(std::string_view code, std::size_t place, std::size_t other) {
  const auto around_it_alone = [&](const auto& statement) {
    const auto has = [&](std::size_t at) { return statement.begin <= at && at < statement.end; };
    return has(place) && !has(other);
  };
  std::optional<Around> found;
  std::size_t begin = kNowhere;
  const auto take_first = [&](const auto& statements, bool loops) {
    const auto first = std::ranges::find_if(statements, around_it_alone);
    if (first == statements.end() || first->begin >= begin) return;
    begin = first->begin;
    const std::string_view word = loops ? code.substr(begin, end_of_word(code, begin) - begin) : "if";
    found = Around{word, first->line, line_at(code, first->end - 1)};
  };
  take_first(conditions_of(code), false);
  take_first(loops_of(code), true);
  return found;
}

/// "after line 4" gets "after line 6, behind the whole `if` of line 3".
bool go_behind(std::string& help, std::uint32_t after, const Around& around, bool next_round) {
  if (around.line == after && around.last_line == after) return false;
  return next_round ? replace_first(help, vgpu::after_line(after),
                                    fmt::format("after line {}, behind the whole `{}` of line {},", around.last_line,
                                                around.word, around.line))
                    : replace_first(help, vgpu::from_line(after),
                                    fmt::format("between line {}, the end of the `{}` of line {}, and",
                                                around.last_line, around.word, around.line));
}

bool go_before(std::string& help, std::uint32_t before, const Around& around) {
  return replace_first(help, vgpu::to_line(before),
                       fmt::format("and line {}, before the `{}`", around.line, around.word));
}

/// "before line 4" gets "before the `for` of line 3", which threads may go through another number of times.
bool go_before_round(std::string& help, std::uint32_t before, const Around& around) {
  if (around.line == before) return false;
  const std::string before_line = fmt::format("before line {}", before), put = "` " + before_line;
  return replace_first(help, put, fmt::format("` before the `{}` of line {}", around.word, around.line));
}

/// Where the barrier is outside of what keeps threads from it, no more has to be said of that.
void drop_condition(std::string& help, std::string_view code, std::uint32_t guard,
                    const std::vector<Around>& outside_of) {
  if (outside_of.empty()) return;
  const auto statement = statement_in(code, guard);
  const bool still_around = !statement || std::ranges::none_of(outside_of, [&](const Around& each) {
    return each.line == guard || !statement->holds(each.last_line);
  });
  if (!still_around) replace_end(help, vgpu::outside_of_condition(guard), "");
}

void name_statements(MergedFinding& finding, std::string_view code) {
  const auto [guard, after, before, at_end, guarded] = finding.barrier;
  if (after == before) return;
  const std::size_t place = place_of_access(code, finding, after), other = place_of_access(code, finding, before);
  if (place == kNowhere || other == kNowhere || defined_around(code, place) != defined_around(code, other)) return;
  const bool next_round = after > before;
  // A loop comes back to a line outside of it where that line is of a lambda that it calls: no loop is to be left.
  if (next_round && innermost_loop(loops_of(code), place, other) == nullptr) return;
  std::vector<Around> outside_of;
  const auto of_first = outermost_around(code, place, other);
  if (of_first && go_behind(finding.help, after, *of_first, next_round)) outside_of.push_back(*of_first);
  const auto of_second = outermost_around(code, other, place);
  const auto go = next_round ? &go_before_round : &go_before;
  if (of_second && go(finding.help, before, *of_second)) outside_of.push_back(*of_second);
  drop_condition(finding.help, code, guard, outside_of);
}

/// "return place[0];" begins in the line, and no condition decides about it alone.
bool returns_value_in(std::string_view code, std::uint32_t line) {
  const std::size_t begin = place_of_line(code, line, 0);
  if (begin == kNowhere || code.substr(begin, end_of_word(code, begin) - begin) != "return") return false;
  const std::size_t before = before_spaces(code, begin), value = past_spaces(code, end_of_word(code, begin));
  const bool is_alone = before != kNowhere && std::string_view(";{}").find(code[before]) != kNowhere;
  return is_alone && value < code.size() && code[value] != ';';
}

/// A barrier that is missing behind a `return`, where nothing can stand.
bool name_return(MergedFinding& finding, std::string_view code) {
  const SourcePlace& other = finding.other->place;
  if (other.file != finding.where.file) return false;
  const auto [first, last] = std::minmax(finding.where.line, other.line);
  const BarrierLines& barrier = finding.barrier;
  const bool comes_back = !barrier.guarded && barrier.after == last && barrier.before == first && first != last &&
                          (finding.help.advises(Advice::another_barrier) ||
                           (barrier.next_round && finding.help.advises(Advice::block_barrier)));
  if (!comes_back || !returns_value_in(code, last)) return false;
  finding.help = fmt::format(
      "copy the value in line {} to a variable, then call `__syncthreads()`, then return the variable: no thread may "
      "come back to line {} before all have read the value",
      last, first);
  return true;
}

/// Both are in the kernel's own text, where no condition is around both and nothing leaves before them: all threads
/// come by, but for the condition on one of the two.
bool all_come_by(std::string_view code, const MergedFinding& finding, std::size_t place, std::size_t other) {
  const auto function = only_body(code, plain_name(finding.kernel));
  const auto is_own = [&](std::size_t at) {
    return function && function->begin <= at && at < function->end &&
           own_body(code, *function, at).begin == function->begin;
  };
  if (!is_own(place) || !is_own(other)) return false;
  bool leaves = false;
  for_each_own_word(code, function->begin, std::max(place, other), [&](std::size_t, std::string_view word) {
    for (const std::string_view jump : {"return", "goto", "break", "continue"}) leaves = leaves || word == jump;
  });
  return !leaves && std::ranges::none_of(conditions_of(code), [&](const ConditionText& condition) {
    return condition.decides_about(place) && condition.decides_about(other);
  });
}

/// A barrier of the warp is enough, and one of the block does as well outside of the condition.
void offer_block_barrier(MergedFinding& finding, std::string_view code) {
  const BarrierLines& lines = finding.barrier;
  if (lines.condition == 0 || lines.after == lines.before) return;
  const std::size_t place = place_of_access(code, finding, lines.after),
                    other = place_of_access(code, finding, lines.before);
  if (place == kNowhere || other == kNowhere || !all_come_by(code, finding, place, other)) return;
  finding.help += "; or a `__syncthreads()`" + vgpu::outside_of_condition(lines.condition);
}

}  // namespace

void name_missing_barrier(MergedFinding& finding, std::string_view code) {
  // A barrier of the warp may stand within a statement that other warps skip.
  if (finding.help.advises(Advice::warp_barrier)) return offer_block_barrier(finding, code);
  if (name_small_barrier(finding, code)) return;
  if (!name_return(finding, code)) name_statements(finding, code);
}

}  // namespace cudalabs
