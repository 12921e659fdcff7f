#include "explain/barriers/barrier_statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explain/barriers/called_barrier.h"
#include "explain/barriers/missing_barrier.h"
#include "explain/barriers/needed_threads.h"
#include "explain/barriers/unbrought_part.h"
#include "explain/places/beside_place.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/statement_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

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
  const std::vector<LoopText> loops = loops_of(code);
  const LoopText* const innermost = innermost_loop(loops, condition.begin);
  return innermost != nullptr && barrier < innermost->end ? jump : std::nullopt;
}

constexpr std::string_view kEndsThreads = "ends threads before it";

/// "skips it": what a jump does that passes a barrier.
std::string where_to(const JumpText& jump, std::string_view code, const MergedFinding& finding) {
  if (jump.word == "continue") return "skips it";
  if (jump.word == "break") return "leaves the loop before it";
  const std::string_view function = defined_around(code, jump.place);
  const bool ends_threads = function.empty() || finding.kernel.empty() || function == plain_name(finding.kernel);
  return ends_threads ? std::string(kEndsThreads) : fmt::format("leaves `{}` before it", function);
}

std::string help_past_barrier(const JumpText& jump, std::string_view what) {
  return fmt::format(
      "every thread must reach the barrier, and the `{}` in line {} {}: {}put an `if` around the work, and let all "
      "still reach the barrier",
      jump.word, jump.line, what, what.starts_with("leaves `") ? "" : "let these threads store zeros, or ");
}

std::string help_for_barrier(const StatementText& statement, std::string_view call) {
  if (statement.kind == StatementKind::loop) {
    return fmt::format(
        "every thread must reach the barrier equally often: let all threads of the block make the same number of "
        "rounds of the loop in line {}, and let idle threads skip the work, but not {}",
        statement.line, call.empty() ? "the barrier" : fmt::format("the call of `{}`, which has it", call));
  }
  return fmt::format(
      "every thread must reach the barrier: move {} out of the `{}` at line {}; idle threads skip the work, not the "
      "barrier",
      call.empty() ? "`__syncthreads()`" : fmt::format("the call of `{}`, which has it,", call), statement.word,
      statement.line);
}

/// Nothing where there are several in the line.
std::optional<ConditionText> only_condition_in(std::string_view code, std::uint32_t line) {
  std::optional<ConditionText> condition;
  for (const ConditionText& each : conditions_of(code)) {
    if (each.line != line) continue;
    if (condition) return std::nullopt;
    condition = each;
  }
  return condition;
}

/// A barrier outside of the `if` that keeps threads from it.
void name_jump(MergedFinding& finding, std::string_view code, std::uint32_t line) {
  const std::size_t barrier = place_of_line(code, finding.where.line, finding.where.column);
  if (barrier == kNowhere || finding.where.line == line) return;
  const auto condition = only_condition_in(code, line);
  const bool outside = condition && !condition->decides_about(barrier) &&
                       defined_around(code, barrier) == defined_around(code, condition->begin);
  if (!outside) return;
  const auto jump = jump_past(code, *condition, barrier);
  const bool ends = jump && where_to(*jump, code, finding) == kEndsThreads;
  const auto needed = ends ? help_for_needed_threads(code, *condition, *jump, barrier) : std::nullopt;
  finding.help = needed ? *needed
                 : jump
                     ? help_past_barrier(*jump, where_to(*jump, code, finding))
                     : fmt::format(
                           "every thread must reach the barrier, and as often as the others: the condition in line {} "
                           "keeps some from it; idle threads skip the work, not the barrier",
                           line);
}

/// A loop of one function that goes round over a barrier of another one, which calls it with what it repeats.
void name_loop_around(MergedFinding& finding, std::string_view code, const StatementText& loop) {
  if (loop.holds(finding.where.line)) return;
  finding.other->label = "the exited threads left this loop here";
  const std::size_t begin = place_of_line(code, loop.line, 0);
  const std::string_view name = begin == kNowhere ? std::string_view() : defined_around(code, begin);
  const auto caller = function_around_line(code, finding.where.line);
  if (name.empty() || !caller || (caller->begin <= begin && begin < caller->end)) return;
  std::vector<std::size_t> calls;
  for_each_name(code.substr(caller->begin, caller->end - caller->begin), [&](std::size_t at, std::string_view word) {
    if (word == name) calls.push_back(caller->begin + at);
  });
  if (calls.size() != 1) return;
  finding.note.insert(
      0, fmt::format("`{}`, which has the loop, is called in line {}\n", name, line_at(code, calls.front())));
}

/// A condition that kept threads from a barrier which have exited.
void name_kind(MergedFinding& finding, std::string_view code) {
  const std::uint32_t line = finding.barrier.condition;
  const auto statement = statement_in(code, line);
  if (!statement) return;
  const std::string_view call = barrier_call(code, *statement, finding.where.line);
  if (call.empty() && statement->word == "if") return name_jump(finding, code, line);
  if (call.empty() && !statement->holds(finding.where.line)) return;
  finding.help = help_for_barrier(*statement, call);
  if (statement->kind == StatementKind::loop) name_loop_around(finding, code, *statement);
}

/// Where threads wait, in the function that a statement is in: what they wait at, or the only call of what has it.
struct Waiting {
  std::size_t place = 0;
  std::string_view call;  // empty: they wait in that function itself
};

std::optional<Waiting> waiting_in_function_of(std::string_view code, const StatementText& statement,
                                              const SourcePlace& site) {
  const std::size_t place = place_of_line(code, site.line, site.column), begin = place_of_line(code, statement.line, 0);
  if (place == kNowhere || begin == kNowhere) return std::nullopt;
  const std::string_view name = defined_around(code, place);
  if (name == defined_around(code, begin)) return Waiting{place, {}};
  const auto function = function_around_line(code, statement.line);
  if (name.empty() || !function) return std::nullopt;
  std::optional<Waiting> found;
  bool several = false;
  for_each_name(code.substr(function->begin, function->end - function->begin),
                [&](std::size_t at, std::string_view word) {
                  if (word != name) return;
                  several = found.has_value();
                  found = Waiting{function->begin + at, name};
                });
  return several ? std::nullopt : found;
}

/// A statement that keeps threads from where others wait.
struct Keeper {
  StatementText statement;
  Waiting waiting;
  std::optional<JumpText> jump;  // that the statement leads to, past there; else it is around it
};

std::optional<Keeper> keeper_from(const SourcePlace& site, std::string_view code, std::uint32_t line) {
  const auto statement = statement_in(code, line);
  const auto waiting = statement ? waiting_in_function_of(code, *statement, site) : std::nullopt;
  if (!waiting) return std::nullopt;
  const Keeper around{*statement, *waiting, {}};
  if (statement->word != "if")
    return statement->holds(line_at(code, waiting->place)) ? std::optional(around) : std::nullopt;
  const auto condition = only_condition_in(code, line);
  if (!condition) return std::nullopt;
  if (condition->decides_about(waiting->place)) return around;
  const auto jump = jump_past(code, *condition, waiting->place);
  return jump ? std::optional(Keeper{*statement, *waiting, jump}) : std::nullopt;
}

/// For lanes that others of their warp wait for in that line.
std::string help_for_lanes(const Keeper& keeper, std::string_view line, std::string_view where_to) {
  constexpr std::string_view kAll = "all lanes that the mask names must execute it";
  const auto& [statement, waiting, jump] = keeper;
  const bool gives_values = line.find("shfl_") != kNowhere || line.find("reduce_") != kNowhere;
  const std::string_view value = gives_values ? " a value that changes nothing, such as 0 for a sum" : "";
  if (jump) {
    return fmt::format("{}, and the `{}` in line {} {}: let these lanes go on{}{}", kAll, jump->word, jump->line,
                       where_to, gives_values ? " with" : "", value);
  }
  if (statement.kind == StatementKind::loop) {
    return fmt::format("{}: let all lanes of a warp make the same number of rounds of the loop in line {}{}{}", kAll,
                       statement.line, gives_values ? ", and give those without an element" : "", value);
  }
  return fmt::format("{}: move {} out of the `{}` at line {}{}{}; or let the mask name only lanes that come there",
                     kAll, waiting.call.empty() ? "it" : fmt::format("the call of `{}`", waiting.call), statement.word,
                     statement.line, gives_values ? ", and give the other lanes" : "", value);
}

/// Where the threads parted: that place is shown, and where the others wait is told.
void show_keeper(MergedFinding& finding, std::string_view code, const Keeper& keeper, const SourcePlace& site) {
  const auto& [statement, waiting, jump] = keeper;
  const bool of_block = finding.other->role == PlaceRole::barrier;
  const std::string_view who = of_block ? "threads" : "lanes";
  const std::string what = jump ? where_to(*jump, code, finding) : std::string();
  finding.help = !of_block ? help_for_lanes(keeper, text_lines(code)[site.line - 1], what)
                 : jump    ? help_past_barrier(*jump, what)
                           : help_for_barrier(statement, waiting.call);
  if (!waiting.call.empty())
    finding.note.insert(0, fmt::format("`{}` is called in line {}\n", waiting.call, line_at(code, waiting.place)));
  finding.cause->label = jump ? fmt::format("some {} skip line {} here", who, site.line)
                         : statement.kind == StatementKind::loop
                             ? fmt::format("this loop has more rounds for some {} than for others", who)
                             : fmt::format("this keeps some {} from line {}", who, site.line);
  if (jump) finding.cause->place = {site.file, jump->line, 0};
}

/// Threads that wait at different places: the statement by which they parted is known by its line.
void name_parting(MergedFinding& finding, std::string_view code) {
  const bool of_block = finding.other->role == PlaceRole::barrier;
  std::vector<std::pair<SourcePlace, SourcePlace>> sites{{finding.where, finding.other->place}};
  if (of_block) sites.emplace_back(finding.other->place, finding.where);
  for (const auto& [site, other] : sites) {
    if (site.file != finding.where.file) continue;
    const auto keeper = keeper_from(site, code, finding.barrier.condition);
    const bool around_both = keeper && !keeper->jump && keeper->statement.holds(other.line);
    if (!keeper || around_both) continue;
    show_keeper(finding, code, *keeper, site);
    break;
  }
  if (finding.other->place.known()) finding.note.insert(0, in_words(*finding.other) + "\n");
  std::swap(finding.other, finding.cause);
}

/// More ways between two barriers are not looked at: a text may be made to be long to read.
constexpr std::size_t kMostBetween = 16;

/// The only condition behind the first of two barriers that leads to a jump past the second, where nothing else keeps a
/// thread from that. A thread that has returned from the kernel, in `ending`, waits at neither.
std::optional<ConditionText> jump_between(std::string_view code, std::size_t first, std::size_t last, bool ending) {
  const auto around_one = [&](const auto& has) { return has(first) != has(last); };
  for (const LoopText& loop : loops_of(code))
    if (around_one([&](std::size_t place) { return loop.body <= place && place < loop.end; })) return std::nullopt;
  bool clear = true;
  for_each_name(code.substr(first, last - first), [&](std::size_t, std::string_view word) {
    clear = clear && word != "goto" && word != "switch" && word != "do";
  });
  std::optional<ConditionText> found;
  std::size_t between = 0;
  for (const ConditionText& each : conditions_of(code)) {
    clear = clear && !around_one([&](std::size_t place) { return each.decides_about(place); });
    if (!clear || each.begin >= last) break;
    if (each.begin < first) continue;
    const auto jump = ++between <= kMostBetween ? jump_past(code, each, last) : std::nullopt;
    clear = between <= kMostBetween && !(jump && found);
    if (jump && !(ending && jump->word == "return")) found = each;
  }
  return clear ? found : std::nullopt;
}

/// Two barriers of one function, and no condition is known to part the threads: each is in a part of one `if`, or a
/// jump leads past the second.
void name_parts(MergedFinding& finding, std::string_view code) {
  const SourcePlace &site = finding.where, &other = finding.other->place;
  const std::size_t last = place_of_line(code, site.line, site.column),
                    first = place_of_line(code, other.line, other.column);
  if (finding.other->role != PlaceRole::barrier || other.file != site.file) return;
  if (name_called_barrier(finding, code)) return;
  if (first >= last || last == kNowhere || defined_around(code, first) != defined_around(code, last)) return;
  const bool in_kernel = defined_around(code, first) == plain_name(finding.kernel);
  if (const auto jumps = jump_between(code, first, last, in_kernel)) {
    finding.barrier.condition = jumps->line;
    finding.cause = OtherPlace{"", {site.file, jumps->line, 0}, {}, {}};
    return name_parting(finding, code);
  }
  std::optional<ConditionText> innermost;
  for (const ConditionText& each : conditions_of(code)) {
    const bool parts = each.body <= first && first < each.end_of_body && each.end_of_body <= last && last < each.end;
    if (parts) innermost = each;
  }
  if (!innermost) return;
  finding.help = fmt::format(
      "let all threads of the block reach the same `__syncthreads()`: each part of the `if` at line {} has one of its "
      "own; put one that all reach outside of it",
      innermost->line);
}

}  // namespace

void name_barrier_statement(MergedFinding& finding, std::string_view source) {
  const bool diverges = finding.id == finding_ids::kBarrierDivergence;
  if (!diverges && finding.id != finding_ids::kSharedRace && finding.id != finding_ids::kGlobalRace) return;
  const std::string code = without_comments(source);
  if (!diverges)
    name_missing_barrier(finding, code);
  else if (name_unbrought_part(finding, code))
    return;
  else if (finding.barrier.condition == 0 && finding.other)
    name_parts(finding, code);
  else if (finding.cause)
    name_parting(finding, code);
  else
    name_kind(finding, code);
}

}  // namespace cudalabs
