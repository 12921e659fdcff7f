// Bounds, alignment and life time of each space, and what is wrong with an address that none of them has.
#include "vgpu/exec/lane_place.h"

#include <algorithm>
#include <new>
#include <optional>
#include <vector>

#include "vgpu/exec/cluster.h"
#include "vgpu/exec/each_lane.h"

namespace cudalabs::vgpu::exec {

namespace {

const GlobalMemory::Range* range_before(const std::vector<GlobalMemory::Range>& ranges, std::uint64_t address) {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                [](std::uint64_t at, const GlobalMemory::Range& range) { return at < range.address; });
  return after == ranges.begin() ? nullptr : &*std::prev(after);
}

// Kernels that allocate change the set of ranges while they run.
void refresh_ranges(Worker* worker) {
  if (worker->ranges_generation == worker->memory->generation()) return;
  worker->ranges_generation = worker->memory->generation();
  worker->ranges = worker->memory->ranges();
  for (MemorySite& site : worker->sites) site = {};
}

LanePlace global_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address) {
  LanePlace place{.space = MemorySpace::global, .address = address};
  Worker* worker = warp->worker;
  const GlobalMemory::Range* range = range_before(worker->ranges, address);
  const std::uint64_t bytes = descriptor.bytes;
  if (range == nullptr || address - range->address >= range->bytes ||
      range->bytes - (address - range->address) < bytes) {
    const std::optional<Allocation> meant = worker->memory->explain(address, 0);
    const bool freed = meant && !meant->live && meant->holds(address);
    place.violation = freed ? ViolationKind::use_after_free : ViolationKind::global_out_of_bounds;
    if (descriptor.space == ptx::Space::constant) {
      place.space = MemorySpace::constant;
      place.violation = ViolationKind::constant_out_of_bounds;
    }
    return place;
  }
  if (range->read_only) place.space = MemorySpace::constant;
  if (address % bytes != 0) {
    place.violation = ViolationKind::misaligned;
  } else if (range->read_only && descriptor.kind != AccessKind::load) {
    place.violation = ViolationKind::write_to_constant;
  } else if (range->write_protected && descriptor.kind != AccessKind::load) {
    place.violation = ViolationKind::global_out_of_bounds;
  } else if (!range->read_only && descriptor.space == ptx::Space::constant) {
    place.violation = ViolationKind::constant_out_of_bounds;
  } else {
    place.allowed = true;
    place.range = range;
    if (!range->fully_initialized) worker->memory->touch(address, bytes);
    place.host = worker->memory->host(address);
  }
  return place;
}

/// Of the executing block's own shared memory, of which two parts of the window are.
LanePlace shared_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t offset) {
  if (offset >= kSharedPart && offset / kSharedPart - 1 == warp->block->rank && warp->block->cluster != nullptr)
    offset %= kSharedPart;
  LanePlace place{.space = MemorySpace::shared, .address = offset};
  const std::uint64_t size = warp->worker->launch->shared_bytes;
  const std::uint64_t bytes = descriptor.bytes;
  if (size < bytes || offset > size - bytes) {
    place.violation = ViolationKind::shared_out_of_bounds;
  } else if (offset % bytes != 0) {
    place.violation = ViolationKind::misaligned;
  } else {
    place.allowed = true;
    place.host = warp->block->shared + offset;
  }
  return place;
}

/// Of shared memory of any block of the cluster.
LanePlace cluster_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t offset) {
  const Block& block = *warp->block;
  const std::uint64_t part = offset / kSharedPart;
  if (block.cluster == nullptr || part == 0 || part - 1 == block.rank) return shared_place(warp, descriptor, offset);
  LanePlace place{.space = MemorySpace::cluster, .address = offset % kSharedPart};
  place.rank = static_cast<std::uint32_t>(part - 1);
  const Peer peer = peer_of(block, place.rank);
  const std::uint64_t size = warp->worker->launch->shared_bytes;
  const std::uint64_t bytes = descriptor.bytes;
  place.owner = peer.block;
  if (peer.missing) {
    place.violation = ViolationKind::missing_block;
  } else if (peer.has_ended) {
    place.violation = ViolationKind::ended_block;
  } else if (size < bytes || place.address > size - bytes) {
    place.violation = ViolationKind::shared_out_of_bounds;
  } else if (place.address % bytes != 0) {
    place.violation = ViolationKind::misaligned;
  } else {
    place.allowed = true;
    place.host = peer.block->shared + place.address;
  }
  return place;
}

LanePlace local_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t offset) {
  LanePlace place{.space = MemorySpace::local, .address = offset};
  const std::uint64_t size = warp->frame->local_end();
  const std::uint64_t bytes = descriptor.bytes;
  if (size < bytes || offset > size - bytes) {
    place.violation = ViolationKind::local_out_of_bounds;
  } else if (offset % bytes != 0) {
    place.violation = ViolationKind::misaligned;
  } else if (descriptor.kind == AccessKind::atomic) {
    place.violation = ViolationKind::local_out_of_bounds;  // atomics do not work on local memory
  } else {
    place.allowed = true;
  }
  return place;
}

LanePlace parameter_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t offset) {
  LanePlace place{.space = MemorySpace::constant, .address = kParameterBase + offset};
  const std::uint64_t size = warp->worker->launch->parameters.size();
  const std::uint64_t bytes = descriptor.bytes;
  if (size < bytes || offset > size - bytes) {
    place.violation = ViolationKind::constant_out_of_bounds;
  } else if (offset % bytes != 0) {
    place.violation = ViolationKind::misaligned;
  } else if (descriptor.kind != AccessKind::load) {
    place.violation = ViolationKind::write_to_constant;
  } else {
    place.allowed = true;
    place.parameter = true;
  }
  return place;
}

/// Of an address in the host's part: page-locked memory has one of the device's as well, by which it goes from here on.
LanePlace host_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address) {
  const DeviceAddress device = warp->worker->memory->of_host(address);
  if (device != 0) return global_place(warp, descriptor, device);
  return {.violation = ViolationKind::host_pointer, .address = address};
}

LanePlace generic_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address) {
  switch (window_of(address)) {
    case Window::global:
      return global_place(warp, descriptor, address);
    case Window::shared:
      if (warp->block->cluster == nullptr && address - kSharedBase >= kSharedPart) break;
      return cluster_place(warp, descriptor, address - kSharedBase);
    case Window::local:
      return local_place(warp, descriptor, address - kLocalBase);
    case Window::parameter:
      return parameter_place(warp, descriptor, address - kParameterBase);
    case Window::null:
      return {.violation = ViolationKind::null_pointer, .address = address};
    case Window::host:
      return host_place(warp, descriptor, address);
    case Window::nowhere:
      break;
  }
  return {.violation = ViolationKind::global_out_of_bounds, .address = address};
}

LanePlace place_in_space(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address) {
  switch (descriptor.space) {
    case ptx::Space::shared:
      return descriptor.of_cluster ? cluster_place(warp, descriptor, address) : shared_place(warp, descriptor, address);
    case ptx::Space::local:
      return local_place(warp, descriptor, address);
    case ptx::Space::param:
      return parameter_place(warp, descriptor, address);
    case ptx::Space::global:
    case ptx::Space::constant: {
      // These spaces lie in the global window; an address elsewhere is as wrong as a generic one would be.
      const Window window = window_of(address);
      if (window == Window::global) return global_place(warp, descriptor, address);
      if (window == Window::host && descriptor.space == ptx::Space::global)
        return host_place(warp, descriptor, address);
      LanePlace place{.violation = ViolationKind::global_out_of_bounds, .address = address};
      if (window == Window::null) place.violation = ViolationKind::null_pointer;
      if (window == Window::host) place.violation = ViolationKind::host_pointer;
      return place;
    }
    default:
      return generic_place(warp, descriptor, address);
  }
}

}  // namespace

LanePlace place_of(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address) {
  refresh_ranges(warp->worker);
  return place_in_space(warp, descriptor, address);
}

LaneMask find_places(Warp* warp, const MemoryDescriptor& descriptor, LaneMask mask, LanePlace places[kWarpSize]) {
  refresh_ranges(warp->worker);
  LaneMask allowed = 0;
  for (const std::uint32_t lane : each_lane(mask)) {
    // Made in its place: a copy would wait for the stores that have just written its parts.
    new (&places[lane]) LanePlace(place_in_space(warp, descriptor, warp->worker->addresses[lane]));
    if (places[lane].allowed) allowed |= 1u << lane;
  }
  return allowed;
}

}  // namespace cudalabs::vgpu::exec
