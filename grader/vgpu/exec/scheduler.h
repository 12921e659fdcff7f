// Which lanes of a warp run next: parting, waiting, meeting again.
#pragma once

#include <bit>

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

constexpr std::uint32_t kMaxDepth = 4096;  // calls within calls

/// The upper half of the keys of segments in a frame. Deeper calls have smaller keys.
inline std::uint64_t depth_key(std::uint32_t depth) {
  return static_cast<std::uint64_t>(kMaxDepth + 1 - depth) << 32;
}

/// The place of a split in the order in which splits run: deepest call first, then by segment priority.
inline std::uint64_t key_of(const Segment* segment, const Frame* frame) {
  return depth_key(frame->depth) | segment->priority;
}

/// Counts an execution of `segment` by the lanes in `mask` and charges it to the warp's budget.
inline void begin(Warp* warp, const Segment* segment, LaneMask mask) {
  Count& count = warp->counts[segment->counter];
  ++count.executed;
  count.lanes += static_cast<std::uint64_t>(std::popcount(mask));
  warp->budget -= segment->length;
}

// What handlers call when the straight way ends. All take the lanes concerned and return the operation to go on with
// (the warp's `running` and `frame` are set then) or null when the scheduler must decide.

/// The lanes will go on at `segment`, but others may come first.
const MicroOp* suspend(Warp* warp, const Segment* segment, LaneMask mask);
/// Lanes part.
const MicroOp* diverge(Warp* warp, const Segment* target, LaneMask taken, const Segment* next, LaneMask others);
/// Lanes part many ways: lane l goes to table[index[l]], or to the last entry when there are fewer.
const MicroOp* diverge_by_table(Warp* warp, const std::vector<const Segment*>& table, const std::uint32_t* index,
                                LaneMask mask);
/// The threads end.
const MicroOp* exit_lanes(Warp* warp, LaneMask mask);
/// The launch ends with `error`, here and now.
const MicroOp* fail(Warp* warp, std::uint32_t instruction, LaneMask mask, LaunchError error);
/// The lanes go on at `segment`, if it is their turn.
const MicroOp* go_on(Warp* warp, const Segment* segment, LaneMask mask);
/// The lanes will go on at `at` when they come first. For those that part from the running ones.
void put_ready(Warp* warp, LaneMask mask, const Segment* at, Frame* frame);
/// The lanes have come to op and wait for the lanes `awaited` of their warp; to be followed by wait_for_lanes.
void put_to_wait(Warp* warp, const MicroOp* op, LaneMask mask, LaneMask awaited);
const MicroOp* wait_for_lanes(Warp* warp, LaneMask mask);
/// The lanes have come to a barrier of the block.
const MicroOp* wait_at_barrier(Warp* warp, const MicroOp* op, LaneMask mask);

enum class TurnEnd : std::uint8_t {
  finished,  // all threads have exited
  blocked,   // all that have not wait
  yielded,   // its turn is over
  failed     // the launch must end
};

/// Runs the warp until its turn is over.
TurnEnd run_turn(Warp* warp);

/// Gives the warp fresh splits: all its threads at the start of the kernel.
void start_warp(Warp* warp, Frame* frame);

}  // namespace cudalabs::vgpu::exec
