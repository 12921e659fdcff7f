// A race says that no barrier was executed between two accesses: one that stands there was skipped.
#include "explain/barriers/skipped_barrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "source/barrier_text.h"
#include "source/counting_loop.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The barrier that was skipped.
struct Skipped {
  BarriersOnWay::Conditional barrier;
  bool in_round = false;              // straight on from the first line to the last; else as a loop comes back
  std::optional<std::uint32_t> back;  // the line of the loop that comes back, where that is known
};

/// "k0 + S < n", of "for (k0 = 0; k0 < n; k0 += S)": it holds in all rounds but the last.
bool asks_for_next_round(const ConditionText& condition, std::string_view code, const LoopText& loop) {
  constexpr std::size_t kLongest = 200;
  const auto count = counting_loop(code, loop);
  if (!count || !count->upwards || count->with_end || condition.condition.size() > kLongest ||
      count->end.size() > kLongest || count->step.size() > kLongest)
    return false;
  const std::string asked = without_blanks(condition.condition), counter(count->counter),
                    end = without_blanks(count->end), step = without_blanks(count->step);
  const std::array<std::string, 5> forms{counter + "+" + step + "<" + end, step + "+" + counter + "<" + end,
                                         counter + "<" + end + "-" + step, counter + "+" + step + "!=" + end,
                                         counter + "!=" + end + "-" + step};
  return std::ranges::find(forms, asked) != forms.end();
}

/// Which loop comes back without the barrier: that around the two accesses, or the next one around that.
std::optional<std::uint32_t> loop_that_comes_back(const BarrierWays& ways, std::string_view code, const LoopText& loop,
                                                  const ConditionText& condition) {
  const LoopText* const outer = ways.loop_around(loop.begin, loop.begin);
  if (!asks_for_next_round(condition, code, loop)) return outer == nullptr ? std::optional(loop.line) : std::nullopt;
  if (outer == nullptr) return std::nullopt;
  const std::pair around(loop.begin, loop.begin);
  BarriersOnWay outside = ways.between(loop.end, outer->end, around);
  outside.add(ways.between(outer->body, loop.begin, around));
  return outside.clear && !outside.always ? std::optional(outer->line) : std::nullopt;
}

/// "if (t < stride) sum[t] += sum[t + stride];": in one round nobody reads what another thread stores.
bool is_halving_step(std::string_view code, std::size_t first, std::size_t last) {
  constexpr std::size_t kLongest = 200;
  const std::size_t end = std::min(code.find(';', first), code.size());
  if (last > end) return false;
  for (const ConditionText& condition : conditions_of(code)) {
    if (condition.body > first || end > condition.end_of_body || end - condition.body > kLongest) continue;
    const std::string asked = without_blanks(condition.condition.substr(0, kLongest));
    const std::size_t sign = asked.find('<');
    if (sign == kNowhere) continue;
    const std::string own = asked.substr(0, sign), step = asked.substr(sign + 1);
    const std::string statement = without_blanks(code.substr(condition.body, end - condition.body));
    if (is_identifier(own) && is_identifier(step) && statement.find(fmt::format("[{}+{}]", own, step)) != kNowhere)
      return true;
  }
  return false;
}

/// Of accesses at two places of a function, `later` the one that was seen second.
std::optional<Skipped> skipped_between(std::string_view code, std::size_t earlier, std::size_t later) {
  const auto [first, last] = std::minmax(earlier, later);
  const BarrierWays ways(code);
  const LoopText* const loop = ways.loop_around(first, last);
  const BarriersOnWay in_round = ways.between(first, last, {first, last});
  if (loop == nullptr) {
    const bool skips = earlier == first && in_round.clear && !in_round.always && in_round.conditional.size() == 1;
    return skips ? std::optional(Skipped{in_round.conditional.front(), true, {}}) : std::nullopt;
  }
  BarriersOnWay back = ways.between(last, loop->end, {first, last});
  back.add(ways.between(loop->body, first, {first, last}));
  if (!in_round.clear || !back.clear) return std::nullopt;
  if (!in_round.always && !back.always && in_round.conditional.empty() && is_halving_step(code, first, last)) {
    const bool one = back.conditional.size() == 1;
    return one ? std::optional(Skipped{back.conditional.front(), false, loop->line}) : std::nullopt;
  }
  if (in_round.always == back.always || line_at(code, first) == line_at(code, last)) return std::nullopt;
  const auto& conditional = in_round.always ? back.conditional : in_round.conditional;
  if (conditional.size() != 1) return std::nullopt;
  Skipped skipped{conditional.front(), back.always, {}};
  if (in_round.always) skipped.back = loop_that_comes_back(ways, code, *loop, skipped.barrier.condition);
  return skipped;
}

/// The threads are of two warps of a block that lies along x.
bool are_of_two_warps(const MergedFinding& finding) {
  constexpr std::uint32_t kWarp = 32;
  const auto along_x = [](const Index3& thread) { return thread[1] == 0 && thread[2] == 0; };
  const auto& own = finding.thread;
  const auto& other = finding.other->thread;
  return own && other && along_x(*own) && along_x(*other) && (*own)[0] / kWarp != (*other)[0] / kWarp;
}

/// What is done in the place of the barrier.
std::string_view other_branch(std::string_view code, const BarriersOnWay::Conditional& skipped) {
  const ConditionText& condition = skipped.condition;
  const bool in_else = skipped.barrier.place >= condition.end_of_body;
  return in_else ? code.substr(condition.body, condition.end_of_body - condition.body)
                 : code.substr(condition.end_of_body, condition.end - condition.end_of_body);
}

/// Of a barrier that a called function has.
std::string help_for_helper(const Skipped& skipped, std::string_view code, const MergedFinding& finding) {
  constexpr std::size_t kLongestShown = 60;
  const BarriersOnWay::Conditional& call = skipped.barrier;
  const bool in_else = call.barrier.place >= call.condition.end_of_body;
  const bool shown =
      call.condition.condition.size() <= kLongestShown && call.condition.condition.find('\n') == kNowhere;
  const std::string asked = shown ? fmt::format("`{}`", call.condition.condition) : std::string("the condition there");
  const bool warp_waits = other_branch(code, call).find("__syncwarp") != kNowhere && are_of_two_warps(finding);
  return fmt::format(
      "`{}`, called in line {}, has a barrier, `{}`, but only where {} in line {} is {}: between these accesses it was "
      "not{}; let all threads of the block wait there, too",
      call.helper, call.called_from, call.barrier.text, asked, call.condition.line, in_else ? "false" : "true",
      warp_waits ? ", and `__syncwarp()` waits for one warp alone, while these threads are of two" : "");
}

std::string help_for(const Skipped& skipped, std::uint32_t first, std::uint32_t last) {
  constexpr std::size_t kLongestShown = 60;
  const BarrierText& barrier = skipped.barrier.barrier;
  const ConditionText& condition = skipped.barrier.condition;
  const bool in_else = barrier.place >= condition.end_of_body;
  const bool shown = condition.condition.size() <= kLongestShown && condition.condition.find('\n') == kNowhere;
  const std::string asked =
      shown ? fmt::format("`{}`", condition.condition) : fmt::format("the condition in line {}", condition.line);
  const std::string then =
      skipped.in_round ? fmt::format("line {} comes after line {} without it", last, first)
      : skipped.back   ? fmt::format("the loop in line {} comes back to line {} without it", *skipped.back, first)
                       : fmt::format("line {} is executed again without it", first);
  return fmt::format(
      "line {} has a barrier, `{}`, but only where {} is {}: where it is {}, {}; let all threads reach this barrier "
      "each time, outside of the `if`",
      barrier.line, barrier.text, asked, in_else ? "false" : "true", in_else ? "true" : "false", then);
}

}  // namespace

void show_skipped_barrier(MergedFinding& finding, std::string_view source) {
  const bool asked_for = finding.id == finding_ids::kSharedRace && finding.other &&
                         finding.help.advises(Advice::block_barrier, Advice::either_barrier);
  if (!asked_for || finding.other->place.file != finding.where.file) return;
  const std::string code = without_comments(source);
  const std::size_t earlier = place_of_line(code, finding.other->place.line, finding.other->place.column),
                    later = place_of_line(code, finding.where.line, finding.where.column);
  if (earlier == kNowhere || later == kNowhere) return;
  const auto function = function_around_line(code, finding.where.line);
  if (!function || earlier < function->begin || earlier >= function->end) return;
  const auto skipped = skipped_between(code, earlier, later);
  if (!skipped) return;
  const auto [first, last] = std::minmax(finding.other->place.line, finding.where.line);
  if (!skipped->barrier.helper.empty()) {
    finding.help = help_for_helper(*skipped, code, finding);
    return;
  }
  finding.help = help_for(*skipped, first, last);
}

}  // namespace cudalabs
