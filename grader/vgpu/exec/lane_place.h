// Where the addresses of a memory instruction lead, lane by lane: into which space, and whether the lane may go there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// Where one lane's access leads.
struct LanePlace {
  bool allowed = false;
  ViolationKind violation = ViolationKind::global_out_of_bounds;
  MemorySpace space = MemorySpace::global;
  std::uint64_t address = 0;  // generic for global, else an offset in the space; cluster: in the owner's memory
  const GlobalMemory::Range* range = nullptr;
  std::byte* host = nullptr;     // global, shared, cluster
  const Block* owner = nullptr;  // cluster: whose memory it is, if there is such a block
  std::uint32_t rank = 0;        // cluster: the block's
  bool parameter = false;
};

/// Of an access of `descriptor.bytes` at `address`, which is one of the instruction's space.
LanePlace place_of(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address);

/// Of the lanes in `mask`, at the worker's addresses; the other places stay as they are. Returns the lanes that may go
/// there.
LaneMask find_places(Warp* warp, const MemoryDescriptor& descriptor, LaneMask mask, LanePlace places[kWarpSize]);

}  // namespace cudalabs::vgpu::exec
