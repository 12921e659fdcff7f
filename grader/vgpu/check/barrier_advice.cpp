// Where the barrier goes that is missing between two accesses of one block, so that all reach it whom it waits for.
#include "vgpu/check/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "vgpu/check/barrier_phrases.h"
#include "vgpu/ptx/library_files.h"

namespace cudalabs::vgpu {

namespace {

/// The calls that led there, and the place itself, which is that of a call where the code is a library's.
std::vector<SourcePlace> way_to(const LaunchNames& names, std::uint32_t instruction, const SourcePlace& place) {
  std::vector<SourcePlace> way = names.calls(instruction);
  way.erase(std::ranges::find(way, place), way.end());
  way.push_back(place);
  return way;
}

}  // namespace

VerdictWords::Meeting VerdictWords::meeting() const {
  Meeting as_shown{where_, other_, 0, false};
  if (!s_.at.instruction || !s_.other || !s_.other->instruction) return as_shown;
  const std::vector<SourcePlace> way = way_to(names_, *s_.at.instruction, where_);
  const std::vector<SourcePlace> other_way = way_to(names_, *s_.other->instruction, other_);
  const std::size_t least = std::min(way.size(), other_way.size());
  std::size_t depth = 0;
  while (depth + 1 < least && way[depth] == other_way[depth]) ++depth;
  as_shown.depth = way.size() - 1;
  const Meeting met{way[depth], other_way[depth], depth, depth + 1 < way.size() || depth + 1 < other_way.size()};
  const bool is_known = met.where.known() && met.where.file == met.other.file && !ptx::is_of_library(met.where.file);
  return is_known ? met : as_shown;
}

/// The other access stands above this one, and a barrier of the block between them.
bool VerdictWords::has_barrier_after_other() const {
  const auto& [where, other, depth, is_of_calls] = meeting_;
  if (other.line >= where.line || !names_.has_block_barrier_between(other, where)) return false;
  return !s_.at.instruction || !s_.other->instruction ||
         !names_.follows_without_block_barrier(*s_.other->instruction, *s_.at.instruction);
}

/// The earlier access is in the round after: the barrier goes to the end of a round.
bool VerdictWords::is_between_rounds() const {
  return meeting_.other.line > meeting_.where.line || has_barrier_after_other();
}

/// 0 where the source of the two accesses does not have it, and of a condition inside of a call that the barrier is not
/// in.
std::uint32_t VerdictWords::line_of(const AccessGuard& guard) const {
  const SourcePlace place = names_.place(guard.branch);
  const bool is_inside = names_.calls(guard.branch).size() > meeting_.depth;
  return place.known() && place.file == meeting_.where.file && !is_inside ? place.line : 0;
}

/// Conditions on the thread around the two accesses, as far as they have lines.
VerdictWords::GuardsBetween VerdictWords::guards_around() const {
  GuardsBetween guards;
  const auto& [where, other, depth, is_of_calls] = meeting_;
  if (!where.known() || where.file != other.file || !s_.at.instruction || !s_.other->instruction) return guards;
  const std::vector<AccessGuard> of_this = names_.guards(*s_.at.instruction);
  const std::vector<AccessGuard> of_other = names_.guards(*s_.other->instruction);
  const bool one_round = other.line < where.line && !is_between_rounds();
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

bool VerdictWords::is_in_loop() const {
  const auto goes_round = [&](const Party& party) { return party.instruction && names_.in_loop(*party.instruction); };
  return goes_round(s_.at) || (s_.other && goes_round(*s_.other));
}

/// The later one of the two lines is executed before the other, and nothing waits between: a loop comes back, or their
/// function is called again.
bool VerdictWords::goes_to_end_of_round() const {
  const auto& [where, other, depth, is_of_calls] = meeting_;
  return other.line > where.line || (other.line < where.line && has_barrier_after_other() && s_.at.instruction &&
                                     names_.in_loop(*s_.at.instruction));
}

/// Those that put_between() says, and the condition that a barrier there can be outside of.
BarrierLines VerdictWords::lines_of_missing() const {
  const auto& [where, other, depth, is_of_calls] = meeting_;
  if (where.file != where_.file) return {};
  const GuardsBetween guards = guards_around();
  BarrierLines lines{.guarded = !guards.of_both.empty() || !guards.of_one.empty()};
  if (guards.of_both.empty() && !guards.of_one.empty()) lines.condition = line_of(guards.of_one.front());
  if (!where.known() || !other.known() || where.file != other.file || other.line == where.line) return lines;
  std::tie(lines.before, lines.after) = std::minmax(where.line, other.line);
  if (!is_between_rounds()) std::swap(lines.before, lines.after);
  lines.next_round = goes_to_end_of_round();
  return lines;
}

/// " of sum.cuh", where lines are not of the file that the finding is shown in.
std::string VerdictWords::of_file() const {
  const std::string& file = meeting_.where.file;
  return file == where_.file ? std::string() : " of " + file.substr(file.rfind('/') + 1);
}

Help VerdictWords::put_between(Advice advice) const {
  const auto& [where, other, depth, is_of_calls] = meeting_;
  const std::string_view what = advice == Advice::warp_barrier     ? "__syncwarp()"
                                : advice == Advice::either_barrier ? "__syncthreads()` or a `__syncwarp()"
                                                                   : "__syncthreads()";
  if (!where.known() || !other.known() || where.file != other.file) {
    return {advice, fmt::format("put a `{}` between the two accesses", what)};
  }
  const auto [first, last] = std::minmax(where.line, other.line);
  if (first == last) {
    return {advice,
            fmt::format("put a `{}` between the two {} of line {}{}{}", what, is_of_calls ? "calls" : "accesses", first,
                        of_file(), is_in_loop() ? ": in a loop, one each time round" : "")};
  }
  if (goes_to_end_of_round() && is_in_loop())
    return {advice,
            fmt::format("put a `{}` {} before line {}{} is executed again", what, after_line(last), first, of_file())};
  if (goes_to_end_of_round()) {
    return {advice, fmt::format("line {}{} is executed again while other threads may still be at line {}: put a `{}` "
                                "before line {}",
                                first, of_file(), last, what, first)};
  }
  if (!has_barrier_after_other())
    return {advice, fmt::format("put a `{}` {} line {}{}", what, from_line(first), last, of_file())};
  return {Advice::another_barrier,
          fmt::format("there is a barrier {} line {}: put another {} before line {}{} is executed again",
                      from_line(first), last, after_line(last), first, of_file())};
}

}  // namespace cudalabs::vgpu
