// Message, note and help of barriers, masks and shuffles.
#include "vgpu/check/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/counted.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu {

using namespace finding_ids;

namespace {

constexpr std::string_view kMaskHelp =
    "all lanes that the mask of `__syncwarp` or of a `_sync` function names must execute it: take it out of the `if`, "
    "or out of the loop that some lanes leave";

constexpr std::string_view kNothingKeeps = "no `if`, loop, `return` or `break` may keep some of them from it";

/// Lanes that others wait for, and the condition that some of them may have left by, if one is known.
Help mask_help(const BarrierLines& lines) {
  constexpr std::string_view kAll =
      "all lanes that the mask of `__syncwarp` or of a `_sync` function names must execute it: ";
  if (lines.condition == 0) return fmt::format("{}{}", kAll, kNothingKeeps);
  return {Advice::which_work,
          fmt::format("{}look at the condition in line {}, which is not the same for all of them; give lanes without "
                      "work a value that changes nothing, such as 0 for a sum",
                      kAll, lines.condition)};
}

}  // namespace

/// The conditions around the place of a party, and around the kernel's call that led there.
std::vector<AccessGuard> VerdictWords::guards_of(const Party& party) const {
  std::vector<AccessGuard> guards = names_.guards(*party.instruction);
  if (!party.call) return guards;
  const std::vector<AccessGuard> around = names_.guards(*party.call);
  guards.insert(guards.end(), around.begin(), around.end());
  return guards;
}

/// What sends the two parties to different places, as far as the program's text says: the only condition on the thread
/// that is around one of them, and not around the other.
std::optional<SourcePlace> VerdictWords::parting() const {
  if (!s_.at.instruction || !s_.other || !s_.other->instruction) return std::nullopt;
  const std::vector<AccessGuard> of_this = guards_of(s_.at);
  const std::vector<AccessGuard> of_other = guards_of(*s_.other);
  std::vector<SourcePlace> found;
  const auto add_missing = [&](const std::vector<AccessGuard>& from, const std::vector<AccessGuard>& in) {
    for (const AccessGuard& guard : from) {
      const auto same = [&](const AccessGuard& other) { return other.branch == guard.branch; };
      if (std::ranges::none_of(in, same)) found.push_back(names_.place(guard.branch));
    }
  };
  add_missing(of_this, of_other);
  add_missing(of_other, of_this);
  if (found.empty() || !found.front().known() || found.front().file != where_.file) return std::nullopt;
  // The parts of one condition may be branches of their own.
  const bool one_line =
      std::ranges::all_of(found, [&](const SourcePlace& place) { return place.line == found.front().line; });
  return one_line ? std::optional(found.front()) : std::nullopt;
}

void VerdictWords::show_parting(Finding& f) const {
  const auto place = parting();
  if (!place) return;
  f.barrier.condition = place->line;
  f.cause = OtherPlace{"this condition is not the same for all threads", *place, {}, {}};
}

/// Of threads that come to their barriers, or calls, from two sides of a condition.
void VerdictWords::barrier_parties(Finding& f, const char* label) {
  f.id = kBarrierDivergence;
  f.missed_barrier = MissedBarrier::waits_elsewhere;
  f.note =
      fmt::format("{} here, {} at the other", counted(s_.at.threads, "thread"), counted(s_.other->threads, "thread"));
  f.help = "let all threads of the block reach the same `__syncthreads()`, and as often as the others: ";
  f.other = OtherPlace{label, other_, coordinates(s_.other->thread.block, config_.grid),
                       coordinates(s_.other->thread.thread, config_.block), PlaceRole::barrier};
  show_parting(f);
  f.help += f.barrier.condition == 0
                ? std::string(kNothingKeeps)
                : fmt::format(
                      "the condition in line {} keeps some from one of the two; idle threads may skip the work, "
                      "not the barrier",
                      f.barrier.condition);
}

void VerdictWords::barrier_sites(Finding& f) {
  barrier_parties(f, "others wait at this barrier");
  f.message = "threads of one block wait at different barriers";
}

void VerdictWords::barrier_calls(Finding& f) {
  barrier_parties(f, "others come to it from this call");
  f.message = "threads of one block come to one barrier from different calls";
  const SourcePlace barrier = names_.place(s_.barrier);
  if (barrier.known() && barrier.file == where_.file)
    f.note = fmt::format("the barrier is in line {}; {}", barrier.line, f.note);
}

void VerdictWords::barrier_exited(Finding& f) {
  f.id = kBarrierDivergence;
  f.message = "threads of the block have exited without reaching this barrier";
  f.missed_barrier = MissedBarrier::exited;
  f.note = fmt::format(
      "{} here, {} exited; GPUs since Volta go on without them, but the programming guide calls this undefined",
      counted(s_.at.threads, "thread"), s_.other->threads);
  const auto place_other = [&](std::string_view what, const SourcePlace& place) {
    f.other = OtherPlace{std::string(what), place, coordinates(s_.other->thread.block, config_.grid),
                         coordinates(s_.other->thread.thread, config_.block)};
  };
  const BarrierPlace barrier = s_.at.instruction ? names_.barrier(*s_.at.instruction) : BarrierPlace{};
  const bool around = barrier.in_loop_with(s_.branch);
  // Threads that leave the loop as late as others have skipped the barrier in its rounds.
  const bool skipped = around && barrier.skipped_at;
  const SourcePlace branch = skipped ? names_.place(*barrier.skipped_at) : other_;
  if (s_.way == WayPast::unknown || !branch.known()) {
    f.help =
        "every thread of the block must reach the barrier, and as often as the others: no condition may keep some of "
        "them from it, and no loop around it end earlier for some; idle threads skip the work, not the barrier";
  } else if (s_.way == WayPast::early_end) {
    place_other("the exited threads left here", other_);
    if (around && other_.file == where_.file) f.barrier.condition = other_.line;
    f.help = {Advice::take_out_return,
              fmt::format("every thread must reach the barrier: take out the {} at line {}, and put the work of the "
                          "other threads into an `if`; `__syncthreads()` stays outside of it",
                          around ? "`return` or `break`" : "`return`", other_.line)};
  } else if (around && !skipped) {
    place_other("the exited threads left the loop here", branch);
    f.help = fmt::format(
        "the loop must have as many rounds for every thread of the block: let what line {} asks not depend on the "
        "thread, and put work that only some threads have into an `if`",
        branch.line);
  } else {
    place_other("this condition kept the exited threads from the barrier", branch);
    if (branch.file == where_.file) f.barrier.condition = branch.line;
    f.help = fmt::format(
        "every thread must reach the barrier: move `__syncthreads()` out of the `if` at line {}, and let no `continue` "
        "or `break` there skip it; idle threads skip the work, not the barrier",
        branch.line);
  }
}

void VerdictWords::barrier_deadlock(Finding& f) {
  f.id = kBarrierDivergence;
  f.message = "deadlock: the block waits at a barrier that the rest of its threads never reach";
  waiting(f);
  f.help = "let every thread that the barrier counts reach it the same number of times";
}

void VerdictWords::warp_deadlock(Finding& f) {
  f.id = kBarrierDivergence;
  f.message = "deadlock: lanes wait for other lanes of their warp, which never come";
  waiting(f);
  show_parting(f);
  f.help = mask_help(f.barrier);
}

void VerdictWords::missed_sync(Finding& f) {
  f.id = kBarrierDivergence;
  f.message = "lanes that the mask names have gone past without executing this: what it then does is undefined";
  f.note = fmt::format("{} here, {} elsewhere", counted(s_.at.threads, "thread"), s_.other->threads);
  f.other = OtherPlace{"others went on here", other_, coordinates(s_.other->thread.block, config_.grid),
                       coordinates(s_.other->thread.thread, config_.block)};
  show_parting(f);
  f.help = mask_help(f.barrier);
}

void VerdictWords::ended_before_sync(Finding& f) {
  f.id = kBarrierDivergence;
  f.severity = Severity::advice;
  f.message = "lanes that the mask names end without executing this";
  f.note = fmt::format("{} here, {} ended; that is defined only where they have exited before",
                       counted(s_.at.threads, "thread"), s_.other->threads);
  f.help = std::string(kMaskHelp);
}

void VerdictWords::outside_mask(Finding& f) {
  f.id = kBarrierDivergence;
  f.message =
      "lanes execute this with a mask that does not name them: what they get, and which lanes wait, is undefined";
  f.help =
      "a lane is the thread's number in its block modulo 32, and bit k of the mask names lane k: let the mask name "
      "each "
      "lane that executes this, or let only the lanes that it names come here";
}

void VerdictWords::missing_lanes(Finding& f) {
  f.id = kBarrierDivergence;
  f.message = "not all lanes of the warp execute this instruction on matrices, and its result is undefined";
  f.note = fmt::format("{} here; each holds a part of the matrices, and {} must be there",
                       counted(s_.at.threads, "thread"), kWarpSize);
  f.help =
      "let all 32 threads of a warp execute it, and have as many threads in a block as make whole warps; put the "
      "condition where the results are used";
}

void VerdictWords::inactive_shuffle(Finding& f) {
  f.id = kShuffleFromInactiveLane;
  f.message = "a shuffle reads lanes that do not take part in it, and the result depends on what it gets there";
  f.note = fmt::format("lane {} reads lane {}; the lanes that execute the shuffle here are {:#010x}",
                       s_.at.thread.thread % kWarpSize, s_.lane, s_.lanes);
  f.help =
      "what such a lane gives is undefined: let all lanes that are read execute the shuffle, and name them in its "
      "mask; give idle threads a value that changes nothing, such as 0 for a sum; or use a `width` and a distance that "
      "stay "
      "inside the lanes that execute it";
  name_way_of_lane(f);
}

/// Of a shuffle that a lane of the block does not execute: the only condition on the thread around it.
std::optional<SourcePlace> VerdictWords::only_guard() const {
  const std::uint64_t lane = s_.at.thread.thread / kWarpSize * kWarpSize + s_.lane;
  if (lane >= config_.threads_per_block()) return std::nullopt;
  const std::vector<AccessGuard> guards = names_.guards(*s_.at.instruction);
  if (guards.empty()) return std::nullopt;
  const SourcePlace place = names_.place(guards.front().branch);
  const bool one_line = std::ranges::all_of(
      guards, [&](const AccessGuard& guard) { return names_.place(guard.branch).line == place.line; });
  return one_line ? std::optional(place) : std::nullopt;
}

/// Where the lane that is read went another way: as it was seen, or as the program's text says.
void VerdictWords::name_way_of_lane(Finding& f) const {
  if (!s_.at.instruction) return;
  const bool seen = s_.way != WayPast::unknown;
  const std::optional<SourcePlace> place = seen ? names_.place(s_.left_at) : only_guard();
  if (!place || !place->known() || place->file != where_.file) return;
  f.barrier.condition = place->line;
  const std::string lane = fmt::format("lane {}", s_.lane);
  if (s_.way == WayPast::early_end) {
    f.cause = OtherPlace{lane + " ended here", *place, {}, {}};
    f.help = fmt::format(
        "what such a lane gives is undefined: take out the `return` in line {}, let these lanes go on to the shuffle, "
        "and let its condition keep them only from the store, and from reads outside of the arrays",
        place->line);
    return;
  }
  f.cause = OtherPlace{seen ? lane + " left here" : "this condition is not the same for all lanes", *place, {}, {}};
  f.help = fmt::format(
      "what such a lane gives is undefined: let all lanes that are read execute the shuffle; the condition in line {} "
      "may keep them from other work, but not from the shuffle",
      place->line);
}

void VerdictWords::waiting(Finding& f) {
  f.note = counted(s_.at.threads, "thread") + " here";
  if (!s_.other) return;
  f.note += fmt::format(", {} elsewhere", s_.other->threads);
  f.other = OtherPlace{"others wait here", other_, coordinates(s_.other->thread.block, config_.grid),
                       coordinates(s_.other->thread.thread, config_.block)};
}

}  // namespace cudalabs::vgpu
