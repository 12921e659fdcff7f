// Where the barrier goes that is missing between two accesses of one block, so that all reach it whom it waits for.
#include "vgpu/check/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

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
std::string VerdictWords::barrier_help(bool may_be_of_warp) const {
  const GuardsBetween guards = guards_around();
  const bool guarded = !guards.of_both.empty() || !guards.of_one.empty();
  if (may_be_of_warp && guarded) {
    const AccessGuard& guard = guards.of_both.empty() ? guards.of_one.front() : guards.of_both.front();
    return put_between("__syncwarp()") +
           fmt::format(
               ", where all lanes of the warp arrive: what they wrote before it, they may read after it; a "
               "`__syncthreads()` would wait for threads that the condition in line {} keeps from here",
               line_of(guard));
  }
  const bool counts_on_warps =
      s_.verdict == Verdict::shared_race_volatile || s_.verdict == Verdict::global_race_within_block_volatile;
  if (may_be_of_warp && counts_on_warps) return put_between("__syncthreads()` or a `__syncwarp()");
  const std::string text = put_between("__syncthreads()");
  if (!guards.of_both.empty()) return text + ", and " + all_must_reach(guards.of_both.front());
  if (!guarded) return text;
  return text + fmt::format(", where the condition in line {} keeps no thread from it", line_of(guards.of_one.front()));
}

/// Those that put_between() says, where a condition keeps some threads from there, and a barrier can be outside of it.
BarrierLines VerdictWords::lines_of_missing() const {
  const GuardsBetween guards = guards_around();
  if (!guards.of_both.empty() || guards.of_one.empty()) return {};
  BarrierLines lines{.condition = line_of(guards.of_one.front())};
  if (other_.line == where_.line) return lines;
  std::tie(lines.before, lines.after) = std::minmax(where_.line, other_.line);
  if (!is_between_rounds()) std::swap(lines.before, lines.after);
  return lines;
}

std::string VerdictWords::put_between(std::string_view what) const {
  if (!where_.known() || !other_.known() || where_.file != other_.file) {
    return fmt::format("put a `{}` between the two accesses", what);
  }
  const auto before_the_next_round = [&](std::uint32_t last, std::uint32_t first) {
    return fmt::format("put a `{}` after line {}, before the loop comes back to line {}", what, last, first);
  };
  if (other_.line > where_.line) return before_the_next_round(other_.line, where_.line);
  if (other_.line < where_.line) {
    if (!has_barrier_after_other())
      return fmt::format("put a `{}` between line {} and line {}", what, other_.line, where_.line);
    if (s_.at.instruction && names_.in_loop(*s_.at.instruction)) return before_the_next_round(where_.line, other_.line);
    return fmt::format(
        "there is a barrier between line {} and line {}: put another after line {}, before line {} is "
        "executed again",
        other_.line, where_.line, where_.line, other_.line);
  }
  return fmt::format("put a `{}` between the two accesses of line {}: in a loop, one each time round", what,
                     where_.line);
}

}  // namespace cudalabs::vgpu
