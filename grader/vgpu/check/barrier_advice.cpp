// Where the barrier goes that is missing between two accesses of one block, so that all reach it whom it waits for.
#include "vgpu/check/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "vgpu/check/barrier_phrases.h"

namespace cudalabs::vgpu {

/// The other access stands above this one, and a barrier of the block between them.
bool VerdictWords::has_barrier_after_other() const {
  if (other_.line >= where_.line || !names_.has_block_barrier_between(other_, where_)) return false;
  return !s_.at.instruction || !s_.other->instruction ||
         !names_.follows_without_block_barrier(*s_.other->instruction, *s_.at.instruction);
}

/// The earlier access is in the round after: the barrier goes to the end of a round.
bool VerdictWords::is_between_rounds() const {
  return other_.line > where_.line || has_barrier_after_other();
}

/// 0 where the source of the two accesses does not have it.
std::uint32_t VerdictWords::line_of(const AccessGuard& guard) const {
  const SourcePlace place = names_.place(guard.branch);
  return place.known() && place.file == where_.file ? place.line : 0;
}

/// Conditions on the thread around the two accesses, as far as they have lines.
VerdictWords::GuardsBetween VerdictWords::guards_around() const {
  GuardsBetween guards;
  if (!where_.known() || where_.file != other_.file || !s_.at.instruction || !s_.other->instruction) return guards;
  const std::vector<AccessGuard> of_this = names_.guards(*s_.at.instruction);
  const std::vector<AccessGuard> of_other = names_.guards(*s_.other->instruction);
  const bool one_round = other_.line < where_.line && !is_between_rounds();
  const auto add = [&](const AccessGuard& guard) {
    if (line_of(guard) == 0) return;
    const bool of_both =
        std::ranges::find(of_this, guard) != of_this.end() && std::ranges::find(of_other, guard) != of_other.end();
    // A loop that has one of them alone is over where the barrier goes.
    if (!of_both && guard.ends_loop) return;
    const bool is_outside = of_both && (one_round || !guard.in_loop || guard.ends_loop);
    (is_outside ? guards.of_both : guards.of_one).push_back(guard);
  };
  std::ranges::for_each(of_this, add);
  for (const AccessGuard& guard : of_other)
    if (std::ranges::find(of_this, guard) == of_this.end()) add(guard);
  return guards;
}

/// Continues "put a barrier there, and ".
std::string VerdictWords::all_must_reach(const AccessGuard& guard) const {
  if (guard.ends_loop) {
    return fmt::format(
        "let all threads of the block reach it equally often: the loop in line {} may have more rounds for some "
        "threads than for others; give all the same number, and put the work into an `if`",
        line_of(guard));
  }
  return fmt::format(
      "let all threads of the block reach it: the condition in line {} keeps some from there; they may skip the work, "
      "but not the barrier",
      line_of(guard));
}

/// That only lanes of one warp were seen may be the input's doing, which left the other warps idle: a barrier of the
/// warp is offered only where one of the block may not stand, and to code that counts on `volatile`.
Help VerdictWords::barrier_help(bool may_be_of_warp) const {
  const GuardsBetween guards = guards_around();
  const bool guarded = !guards.of_both.empty() || !guards.of_one.empty();
  if (may_be_of_warp && guarded) {
    Help help = put_between(Advice::warp_barrier);
    help += ", where all lanes of the warp arrive: what they wrote before it, they may read after it";
    // Outside of a condition on one of the two all threads may arrive: whether they do is seen in the source.
    if (!guards.of_both.empty())
      help += fmt::format("; a `__syncthreads()` would wait for threads that the condition in line {} keeps from here",
                          line_of(guards.of_both.front()));
    return help;
  }
  const bool counts_on_warps =
      s_.verdict == Verdict::shared_race_volatile || s_.verdict == Verdict::global_race_within_block_volatile;
  if (may_be_of_warp && counts_on_warps) return put_between(Advice::either_barrier);
  Help help = put_between(Advice::block_barrier);
  if (!guards.of_both.empty()) {
    help += ", and " + all_must_reach(guards.of_both.front());
  } else if (guarded) {
    help += outside_of_condition(line_of(guards.of_one.front()));
  }
  return help;
}

/// A loop comes back from the later one of the two lines to the other, and nothing waits between its rounds.
bool VerdictWords::goes_to_end_of_round() const {
  return other_.line > where_.line || (other_.line < where_.line && has_barrier_after_other() && s_.at.instruction &&
                                       names_.in_loop(*s_.at.instruction));
}

/// Those that put_between() says, and the condition that a barrier there can be outside of.
BarrierLines VerdictWords::lines_of_missing() const {
  const GuardsBetween guards = guards_around();
  BarrierLines lines{.guarded = !guards.of_both.empty() || !guards.of_one.empty()};
  if (guards.of_both.empty() && !guards.of_one.empty()) lines.condition = line_of(guards.of_one.front());
  if (!where_.known() || !other_.known() || where_.file != other_.file || other_.line == where_.line) return lines;
  std::tie(lines.before, lines.after) = std::minmax(where_.line, other_.line);
  if (!is_between_rounds()) std::swap(lines.before, lines.after);
  lines.next_round = goes_to_end_of_round();
  return lines;
}

Help VerdictWords::put_between(Advice advice) const {
  const std::string_view what = advice == Advice::warp_barrier     ? "__syncwarp()"
                                : advice == Advice::either_barrier ? "__syncthreads()` or a `__syncwarp()"
                                                                   : "__syncthreads()";
  if (!where_.known() || !other_.known() || where_.file != other_.file) {
    return {advice, fmt::format("put a `{}` between the two accesses", what)};
  }
  const auto [first, last] = std::minmax(where_.line, other_.line);
  if (goes_to_end_of_round())
    return {advice, fmt::format("put a `{}` {} before line {} is executed again", what, after_line(last), first)};
  if (first == last) {
    return {advice, fmt::format("put a `{}` between the two accesses of line {}: in a loop, one each time round", what,
                                where_.line)};
  }
  if (!has_barrier_after_other()) return {advice, fmt::format("put a `{}` {} line {}", what, from_line(first), last)};
  return {Advice::another_barrier,
          fmt::format("there is a barrier {} line {}: put another {} before line {} is executed again",
                      from_line(first), last, after_line(last), first)};
}

}  // namespace cudalabs::vgpu
