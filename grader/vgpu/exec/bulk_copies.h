// Copies in bulk that have begun (`cp.async.bulk`). What they read and write happens as late as the program allows:
// when a thread must wait for it, so that code which does not wait meets what was there before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "vgpu/exec/bulk_form.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// Bytes that lie side by side on both sides.
struct BulkPiece {
  std::uint64_t to = 0, from = 0;  // addresses of global memory, or offsets in a block's shared memory
  std::uint32_t bytes = 0;
  bool outside = false;  // of the tensor: there is no `from`, and what is written are zeros, or NaN
};

struct BulkCopy {
  std::uint32_t number = 0;  // of the block that has begun it, from 1 on
  Warp* warp = nullptr;      // and its lane
  std::uint32_t lane = 0;
  const MicroOp* op = nullptr;
  const BulkOperation* operation = nullptr;
  Block* to = nullptr;  // whose shared memory it writes; null: global memory
  std::vector<BulkPiece> pieces;
  std::optional<TensorType> tensor;  // of the elements of the tensor that it copies from or to
  bool nan_outside = false;          // what is outside of it counts as NaN
  bool without_map = false;          // of a tensor that is not known: it copies nothing
  Block* barrier_of = nullptr;       // whose barrier it tells; null: it is of a group
  std::uint64_t barrier = 0;         // offset of that
  std::uint64_t signalled = 0;       // bytes that the barrier is told of; without a map as many as it waits for
  std::uint32_t group = 0;           // else the one of its thread
  bool has_read = false, has_written = false;
  bool waited_reads = false, waited = false;  // for its group
  std::vector<std::byte> data;                // what it has read
};

/// Of one block.
struct BlockBulkCopies {
  std::uint32_t begun = 0;                 // by its threads
  std::deque<BulkCopy> to_barriers;        // that tell barriers of the block
  std::deque<BulkCopy> in_groups;          // that its threads wait for
  std::vector<std::uint32_t> open_groups;  // by thread: the number of the group that is being filled
};

/// To be made by and by.
void start_bulk_copy(BulkCopy copy);
/// Lanes begin a copy each, or several to the blocks that a mask names.
void begin_bulk_copies(Warp* warp, const MicroOp* op, const std::byte* registers, LaneMask mask);
void commit_bulk_copies(Warp* warp, LaneMask mask);
/// Until at most `left` of the newest groups of each lane are pending, or have not read their source.
void wait_for_bulk_copies(Warp* warp, LaneMask mask, std::uint32_t left, bool only_reads);
/// Makes the one that began first of those that tell the barrier at this offset of the block's shared memory. False:
/// there is none.
bool finish_copy_to_barrier(Block* block, std::uint64_t barrier);
/// All threads of the block have exited: makes the copies that it has begun and those that come to it.
void end_bulk_copies(Block* block);

}  // namespace cudalabs::vgpu::exec
