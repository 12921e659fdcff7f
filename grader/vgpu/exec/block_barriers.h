// The barriers of a block, which hold its threads.
#pragma once

#include <cstdint>

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// How `bar` instructions say what they are, in MicroOp::extra.
enum class BarrierKind : std::uint32_t {
  sync,
  arrive,
  count_true,
  all_true,
  any_true,
  cluster_arrive,
  cluster_arrive_relaxed,
  cluster_wait
};
constexpr std::uint32_t kBarrierHasCount = 16;

/// Barriers do not wait for them any more.
void threads_exited(Warp* warp, LaneMask lanes);
/// False when the barrier does not exist: the block has failed.
bool arrive_at_barrier(Warp* warp, const MicroOp* op, LaneMask lanes);

}  // namespace cudalabs::vgpu::exec
