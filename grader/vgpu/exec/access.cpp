// Every access that the fast path of a memory instruction cannot make, and the books kept about accesses.
#include "vgpu/exec/access.h"

#include <bit>
#include <cstring>

#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/frames.h"
#include "vgpu/exec/lane_place.h"
#include "vgpu/exec/lane_words.h"

namespace cudalabs::vgpu::exec {

namespace {

/// What a kernel loads or stores itself. Other workers may do so at the same time: then the kernel races.
void copy_for_kernel(std::byte* to, const std::byte* from, std::uint32_t bytes) {
  std::memcpy(to, from, bytes);
}

// The fast path will find the lane's range the next time. `address`: as the instruction has it.
void remember(MemorySite& site, Warp* warp, std::uint64_t address, const LanePlace& place) {
  if (place.parameter || place.space == MemorySpace::local || place.space == MemorySpace::cluster) return;
  site.space = place.space;
  if (place.space == MemorySpace::shared) {
    site.low = address - place.address;
    site.span = warp->worker->launch->shared_bytes;
    site.base = warp->block->shared;
    site.read_only = false;
    site.fully_initialized = true;
  } else {
    site.low = place.range->address;
    site.span = place.range->bytes;
    site.base = warp->worker->memory->host(site.low);
    site.read_only = place.range->read_only || place.range->write_protected;
    site.fully_initialized = place.range->fully_initialized;
  }
}

/// Of lanes that all go to one block's memory.
const Block* owner_of(LaneMask lanes, const LanePlace places[kWarpSize]) {
  return places[static_cast<std::uint32_t>(std::countr_zero(lanes)) % kWarpSize].owner;
}

/// Sorts the lanes by where they lead: tells observers of violations, and calls `visit(space, lanes, places, told)`
/// once for each space, and for each block's shared memory, with the lanes that may go there. Returns the lanes that
/// may go anywhere.
template <class Visit>
LaneMask sort_lanes(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask, Visit visit) {
  Worker* worker = warp->worker;
  LanePlace places[kWarpSize];
  const LaneMask allowed = find_places(warp, descriptor, mask, places);
  if (allowed != mask)
    worker->launch->refused.fetch_add(static_cast<std::uint64_t>(std::popcount(mask & ~allowed)),
                                      std::memory_order_relaxed);
  std::uint64_t told[kWarpSize] = {};
  for (const std::uint32_t lane : each_lane(mask)) {
    told[lane] = places[lane].address;
  }
  for (LaneMask refused = mask & ~allowed; refused != 0;) {
    const LanePlace& first = places[std::countr_zero(refused)];
    LaneMask alike = 0;
    for (const std::uint32_t lane : each_lane(refused)) {
      const LanePlace& place = places[lane];
      if (place.violation == first.violation && place.space == first.space && place.rank == first.rank)
        alike |= 1u << lane;
    }
    const Violation violation{.kind = first.violation,
                              .access = descriptor.kind,
                              .space = first.space,
                              .warp = warp->index,
                              .instruction = op->instruction,
                              .bytes = descriptor.bytes,
                              .lanes = alike,
                              .address = told,
                              .call = call_in_kernel(*warp->frame),
                              .owner = first.owner == nullptr ? std::nullopt : std::optional(first.owner->number),
                              .rank = first.rank};
    for (const auto& observer : warp->block->observers) observer->violation(violation);
    record_error(warp->block, error_of(first.violation));
    refused &= ~alike;
  }
  if (allowed != 0) {
    const int lane = std::countr_zero(allowed);
    remember(worker->sites[descriptor.site], warp, worker->addresses[lane], places[lane]);
  }
  for (LaneMask left = allowed; left != 0;) {
    const MemorySpace space = places[std::countr_zero(left)].space;
    const Block* owner = owner_of(left, places);
    LaneMask alike = 0;
    for (const std::uint32_t lane : each_lane(left)) {
      if (places[lane].space == space && places[lane].owner == owner) alike |= 1u << lane;
    }
    visit(space, alike, places, told);
    left &= ~alike;
  }
  return allowed;
}

bool are_consecutive(LaneMask lanes, const std::uint64_t* addresses, std::uint32_t bytes) {
  if (lanes != kAllLanes) return false;
  for (std::uint32_t lane = 1; lane < kWarpSize; ++lane) {
    if (addresses[lane] != addresses[0] + std::uint64_t{lane} * bytes) return false;
  }
  return true;
}

/// Do all lanes access local memory where they may? Then `worker->offsets` gets where. Variables that have an address
/// lie there: in debug builds these are most accesses, and 28 % of the time of a lab 4 product by libcu++'s pipelines
/// (nvcc) went into looking at each lane's place apart.
bool are_local(const Warp* warp, const MemoryDescriptor& descriptor, LaneMask mask) {
  const bool generic = descriptor.space == ptx::Space::generic;
  if (!generic && descriptor.space != ptx::Space::local) return false;
  Worker* worker = warp->worker;
  const std::uint64_t base = generic ? kLocalBase : 0;
  const std::uint64_t size = warp->frame->local_end();
  const std::uint64_t places = size < descriptor.bytes ? 0 : size - descriptor.bytes + 1;
  if (mask == 0 || worker->addresses[std::countr_zero(mask)] - base >= places) return false;
  const std::uint64_t odd_bits = descriptor.bytes - 1;
  LaneMask inside = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t offset = worker->addresses[lane] - base;
    worker->offsets[lane] = offset;
    inside |= static_cast<LaneMask>(offset < places && (offset & odd_bits) == 0) << lane;
  }
  return (inside & mask) == mask;
}

}  // namespace

LaunchError error_of(ViolationKind kind) {
  if (kind == ViolationKind::missing_block || kind == ViolationKind::ended_block)
    return LaunchError::cluster_block_missing;
  return kind == ViolationKind::misaligned ? LaunchError::misaligned_address : LaunchError::illegal_address;
}

void notify(Block* block, Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, MemorySpace space,
            LaneMask mask, const std::uint64_t* addresses, bool consecutive, const std::byte* stored,
            const std::byte* current, const Block* owner) {
  const WarpAccess access{.warp = warp->index,
                          .instruction = op->instruction,
                          .kind = descriptor.kind,
                          .space = space,
                          .order = descriptor.order,
                          .scope = descriptor.scope,
                          .bytes = descriptor.bytes,
                          .active = mask,
                          .address = addresses,
                          .owner = owner == nullptr ? 0 : owner->number,
                          .consecutive = consecutive,
                          .stored = stored,
                          .current = current};
  if (descriptor.kind != AccessKind::load && block->load_runs.waiting()) block->load_runs.tell(block);
  for (BlockObserver* observer : block->access_observers) observer->access(access);
}

void announce_store(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask) {
  LanePlace places[kWarpSize];
  const LaneMask allowed = find_places(warp, descriptor, mask, places);
  if (allowed == 0) return;
  if (warp->block->load_runs.waiting()) warp->block->load_runs.tell(warp->block);
  const std::uint64_t* offsets = warp->worker->addresses;
  const WarpAccess access{.warp = warp->index,
                          .instruction = op->instruction,
                          .kind = AccessKind::store,
                          .space = MemorySpace::shared,
                          .bytes = descriptor.bytes,
                          .active = allowed,
                          .address = offsets,
                          .consecutive = are_consecutive(allowed, offsets, descriptor.bytes)};
  for (BlockObserver* observer : warp->block->access_observers) observer->store_begins(access);
}

void record_error(Block* block, LaunchError error) {
  if (block->error == LaunchError::none) block->error = error;
}

void careful_load(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask) {
  Worker* worker = warp->worker;
  const std::uint32_t bytes = descriptor.bytes;
  if (are_local(warp, descriptor, mask)) {
    const std::uint64_t* offsets = worker->offsets;
    if (warp->block->watched) {
      notify(warp->block, warp, op, descriptor, MemorySpace::local, mask, offsets,
             are_consecutive(mask, offsets, bytes), nullptr, nullptr);
    }
    for (const std::uint32_t lane : each_lane(mask))
      copy_from_lane(warp->local.get(), offsets[lane], lane, bytes, worker->values + lane * bytes);
    return;
  }
  const auto visit = [&](MemorySpace space, LaneMask lanes, const LanePlace* places, const std::uint64_t* told) {
    if (warp->block->watched) {
      notify(warp->block, warp, op, descriptor, space, lanes, told, are_consecutive(lanes, told, bytes), nullptr,
             nullptr, owner_of(lanes, places));
    }
    for (const std::uint32_t lane : each_lane(lanes)) {
      std::byte* to = worker->values + lane * bytes;
      if (places[lane].parameter) {
        std::memcpy(to, worker->launch->parameters.data() + (places[lane].address - kParameterBase), bytes);
      } else if (space == MemorySpace::local) {
        copy_from_lane(warp->local.get(), places[lane].address, lane, bytes, to);
      } else {
        copy_for_kernel(to, places[lane].host, bytes);
      }
    }
  };
  const LaneMask allowed = sort_lanes(warp, op, descriptor, mask, visit);
  for (const std::uint32_t lane : each_lane(mask & ~allowed)) std::memset(worker->values + lane * bytes, 0, bytes);
}

void careful_store(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask) {
  Worker* worker = warp->worker;
  const std::uint32_t bytes = descriptor.bytes;
  if (are_local(warp, descriptor, mask)) {
    const std::uint64_t* offsets = worker->offsets;
    if (warp->block->watched) {
      notify(warp->block, warp, op, descriptor, MemorySpace::local, mask, offsets,
             are_consecutive(mask, offsets, bytes), worker->values, nullptr);
    }
    for (const std::uint32_t lane : each_lane(mask))
      copy_to_lane(warp->local.get(), offsets[lane], lane, bytes, worker->values + lane * bytes);
    return;
  }
  const auto visit = [&](MemorySpace space, LaneMask lanes, const LanePlace* places, const std::uint64_t* told) {
    if (warp->block->watched) {
      const std::byte* current = nullptr;
      if (warp->block->wants_current_values && space != MemorySpace::local) {
        for (const std::uint32_t lane : each_lane(lanes)) {
          copy_for_kernel(worker->current + lane * bytes, places[lane].host, bytes);
        }
        current = worker->current;
      }
      notify(warp->block, warp, op, descriptor, space, lanes, told, are_consecutive(lanes, told, bytes), worker->values,
             current, owner_of(lanes, places));
    }
    for (const std::uint32_t lane : each_lane(lanes)) {
      const std::byte* from = worker->values + lane * bytes;
      if (space == MemorySpace::local) {
        copy_to_lane(warp->local.get(), places[lane].address, lane, bytes, from);
        continue;
      }
      if (space == MemorySpace::global) {
        before_global_write(*worker->memory, places[lane].address, bytes, places[lane].range->fully_initialized);
      }
      copy_for_kernel(places[lane].host, from, bytes);
    }
  };
  sort_lanes(warp, op, descriptor, mask, visit);
}

namespace {

// The lanes that stay, aligned, inside the range the instruction touched last.
LaneMask lanes_inside(const MemorySite& site, const std::uint64_t* addresses, std::uint32_t bytes, LaneMask mask) {
  const std::uint64_t places = site.span < bytes ? 0 : site.span - bytes + 1;
  const std::uint64_t odd_bits = bytes - 1;  // without a division for each lane
  LaneMask inside = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const bool holds = addresses[lane] - site.low < places && (addresses[lane] & odd_bits) == 0;
    inside |= static_cast<LaneMask>(holds) << lane;
  }
  return inside & mask;
}

/// What memory holds before an atomic changes it, for observers; null where none wants to know.
const std::byte* values_before(Warp* warp, LaneMask lanes, std::byte* const hosts[kWarpSize], std::uint32_t bytes) {
  if (!warp->block->wants_current_values) return nullptr;
  std::byte* values = warp->worker->current;
  for (const std::uint32_t lane : each_lane(lanes)) copy_for_kernel(values + lane * bytes, hosts[lane], bytes);
  return values;
}

}  // namespace

AtomicAccess resolve_atomic(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask,
                            std::byte* hosts[kWarpSize]) {
  Worker* worker = warp->worker;
  const std::uint32_t bytes = descriptor.bytes;
  const MemorySite& site = worker->sites[descriptor.site];
  if (!site.read_only && lanes_inside(site, worker->addresses, bytes, mask) == mask) {
    const bool global = site.space == MemorySpace::global;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      worker->offsets[lane] = global ? worker->addresses[lane] : worker->addresses[lane] - site.low;
    }
    for (const std::uint32_t lane : each_lane(mask)) hosts[lane] = site.base + (worker->addresses[lane] - site.low);
    if (warp->block->watched) {
      notify(warp->block, warp, op, descriptor, site.space, mask, worker->offsets,
             are_consecutive(mask, worker->offsets, bytes), nullptr, values_before(warp, mask, hosts, bytes));
    }
    for (const std::uint32_t lane : each_lane(mask)) {
      if (global) before_global_write(*worker->memory, worker->addresses[lane], bytes, site.fully_initialized);
    }
    return {mask, global ? mask : 0};
  }
  AtomicAccess access;
  const auto visit = [&](MemorySpace space, LaneMask lanes, const LanePlace* places, const std::uint64_t* told) {
    for (const std::uint32_t lane : each_lane(lanes)) hosts[lane] = places[lane].host;
    if (warp->block->watched) {
      notify(warp->block, warp, op, descriptor, space, lanes, told, are_consecutive(lanes, told, bytes), nullptr,
             values_before(warp, lanes, hosts, bytes), owner_of(lanes, places));
    }
    for (const std::uint32_t lane : each_lane(lanes)) {
      if (space != MemorySpace::global) continue;
      before_global_write(*worker->memory, places[lane].address, bytes, places[lane].range->fully_initialized);
      access.global |= 1u << lane;
    }
  };
  access.allowed = sort_lanes(warp, op, descriptor, mask, visit);
  return access;
}

}  // namespace cudalabs::vgpu::exec

#ifdef __SANITIZE_THREAD__
// Kernels that race are what this is for: workers then access the same bytes of device memory at the same time, as a
// device's processors do. Only the functions that copy these bytes are named, so that ThreadSanitizer still sees what
// else is done on the way. It has to be in the program: a sandbox passes no variables of the environment on.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:copy_for_kernel\nrace:load_lanes\nrace:store_lanes\nrace:read_current\n";
}
#endif
