// Special registers: who and where a thread is, and what time the block thinks it is.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "vgpu/exec/block.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/handlers/set_lanes.h"
#include "vgpu/exec/special_register.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

// Time as the block sees it: one tick for each instruction any of its warps executed, and what it skips in loops that
// only wait for time to pass. The same on every machine.
std::uint64_t ticks(const Warp* warp) {
  const Block& block = *warp->block;
  return block.instructions + static_cast<std::uint64_t>(kTurn - warp->budget) + block.skipped_ticks;
}

/// A round of such a loop skips twice as much as the one before: no more than what has passed since it began, and no
/// more than a millisecond of a real device at a time, so that what is waited for is not missed by far.
void skip_time(Block& block) {
  constexpr std::uint64_t kLeast = 4, kMost = 1'000'000;
  block.next_skip = std::clamp(2 * block.next_skip, kLeast, kMost);
  block.skipped_ticks += block.next_skip;
}

constexpr bool is_delay(Special special) {
  return special == Special::delay_clock || special == Special::delay_clock64;
}

constexpr bool is_clock(Special special) {
  return special == Special::clock || special == Special::clock64 || special == Special::globaltimer ||
         special == Special::globaltimer_lo;
}

std::uint32_t lane_mask(Special special, std::uint32_t lane) {
  const std::uint32_t own = 1u << lane;
  switch (special) {
    case Special::lanemask_eq:
      return own;
    case Special::lanemask_lt:
      return own - 1;
    case Special::lanemask_le:
      return own | (own - 1);
    case Special::lanemask_gt:
      return ~(own | (own - 1));
    default:
      return ~(own - 1);
  }
}

template <Special kSpecial>
std::uint64_t special_value(const Warp* warp, std::uint32_t lane) {
  const Launch& launch = *warp->worker->launch;
  const LaunchConfig& config = launch.config;
  switch (kSpecial) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
      return warp->thread_index[static_cast<int>(kSpecial) - static_cast<int>(Special::tid_x)][lane];
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
      return config.block[static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::ntid_x)];
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
      return warp->block->index[static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::ctaid_x)];
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z:
      return config.grid[static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::nctaid_x)];
    case Special::clusterid_x:
    case Special::clusterid_y:
    case Special::clusterid_z: {
      constexpr auto kAxis = static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::clusterid_x);
      return warp->block->index[kAxis % 3] / config.cluster[kAxis % 3];
    }
    case Special::nclusterid_x:
    case Special::nclusterid_y:
    case Special::nclusterid_z:
      return config
          .grid_of_clusters()[static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::nclusterid_x)];
    case Special::cluster_ctaid_x:
    case Special::cluster_ctaid_y:
    case Special::cluster_ctaid_z: {
      constexpr auto kAxis = static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::cluster_ctaid_x);
      return warp->block->index[kAxis % 3] % config.cluster[kAxis % 3];
    }
    case Special::cluster_nctaid_x:
    case Special::cluster_nctaid_y:
    case Special::cluster_nctaid_z:
      return config.cluster[static_cast<std::size_t>(kSpecial) - static_cast<std::size_t>(Special::cluster_nctaid_x)];
    case Special::cluster_ctarank:
      return warp->block->rank;
    case Special::cluster_nctarank:
      return config.blocks_per_cluster();
    case Special::is_explicit_cluster:
      return config.explicit_cluster;
    case Special::laneid:
      return lane;
    case Special::warpid:
      return warp->index;
    case Special::nwarpid:
      return warp->block->warps.size();
    case Special::smid:
      return warp->block->number % launch.multiprocessors;
    case Special::nsmid:
      return launch.multiprocessors;
    case Special::gridid:
      return launch.grid_number;
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
      return lane_mask(kSpecial, lane);
    case Special::clock:
    case Special::clock64:
    case Special::globaltimer:
    case Special::globaltimer_lo:
    case Special::delay_clock:
    case Special::delay_clock64:
      return ticks(warp);
    case Special::clock_hi:
    case Special::globaltimer_hi:
      return ticks(warp) >> 32;
    case Special::total_smem_size:
      return launch.shared_bytes;
    case Special::dynamic_smem_size:
      return config.dynamic_shared_bytes;
    case Special::grid_workspace_high:
      return launch.grid_workspace >> 32;
    case Special::grid_workspace_low:
      return launch.grid_workspace;
    case Special::no_reserved_shared:
      return 0xFFFF'0000;
    case Special::shared_base:
      return kSharedBase + shared_part_of(warp->block->rank);
    case Special::local_base:
      return warp->frame->local_base;
    case Special::zero:
      return 0;
    case Special::one:
      return 1;
  }
  return 0;
}

constexpr bool is_wide(Special special) {
  return special == Special::gridid || special == Special::clock64 || special == Special::globaltimer ||
         special == Special::delay_clock64 || special == Special::shared_base || special == Special::local_base;
}

template <Special kSpecial>
const MicroOp* special(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  using T = std::conditional_t<is_wide(kSpecial), std::uint64_t, std::uint32_t>;
  if constexpr (is_delay(kSpecial)) skip_time(*warp->block);
  if constexpr (is_clock(kSpecial)) warp->block->next_skip = 0;  // what is waited for begins now
  set_lanes<T>(registers, op->d, mask, [&](std::uint32_t lane) { return special_value<kSpecial>(warp, lane); });
  return next(op, registers, warp, mask);
}

template <std::size_t... kIndex>
Handler pick_special(std::uint32_t which, std::index_sequence<kIndex...>) {
  static constexpr Handler kHandlers[] = {&special<static_cast<Special>(kIndex)>...};
  return which < sizeof...(kIndex) ? kHandlers[which] : nullptr;
}

}  // namespace

Handler select_special(std::uint32_t which) {
  return pick_special(which, std::make_index_sequence<static_cast<std::size_t>(Special::one) + 1>{});
}

}  // namespace cudalabs::vgpu::exec
