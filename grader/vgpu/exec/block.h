// A block in execution: its warps take turns.
#pragma once

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// Makes a block that can execute the launch's blocks one after the other, with observers of its own.
std::unique_ptr<Block> make_block(Worker* worker, std::span<Observer* const> observers);

/// Begins block `number` of the grid.
void start_block(Block* block, std::uint64_t number);

enum class RoundEnd : std::uint8_t {
  finished,
  running,     // some threads got on
  spinning,    // all that ran were talking to other threads or took long: let other blocks run
  waiting,     // for other blocks of its cluster
  giving_way,  // its disorder has others go first
  failed       // the launch must end: Block::error
};

/// Gives every warp that can run a turn.
RoundEnd run_round(Block* block);

/// Of blocks that all wait: tells the observers of each, and fails it.
void report_deadlock(Block* block);
/// The same of all blocks of its cluster that have not ended.
void report_deadlock_of_cluster(Block* block);

/// Before a block's first round, and before those after it gave way.
void resume_block(Block* block);
/// Its next round comes after those of other blocks. `waits`: it may wait for them.
void give_way(Block* block, bool waits);

/// Ends the block: observers get `counts` too when `with_counts`.
void end_block(Block* block, bool with_counts);

// For the scheduler of warps.

void fail_block(Block* block, LaunchError error);
/// Counts instructions against the limits, and looks how many accesses were refused; false when a limit is exceeded,
/// and then the block has failed.
bool charge(Block* block, std::int64_t instructions);
void tell_warp_sync(Warp* warp, const MicroOp* op, LaneMask lanes);
void tell_inactive_shuffle(Warp* warp, const MicroOp* op, LaneMask readers, std::uint32_t lane, LaneMask active);
void tell_unset_read(Warp* warp, const MicroOp* op, LaneMask lanes);
void tell_outside_mask(Warp* warp, const MicroOp* op, LaneMask lanes);
void tell_missing_lanes(Warp* warp, const MicroOp* op, LaneMask lanes);
void tell_missed_sync(Warp* warp, const Split& waiting, LaneMask arrived);
const MicroOp* stack_overflow(Warp* warp, std::uint32_t instruction, LaneMask lanes);
/// Makes room for this many bytes of local memory a thread.
void reserve_local(Warp* warp, std::uint32_t bytes);

}  // namespace cudalabs::vgpu::exec
