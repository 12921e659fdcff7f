// Every access that the fast path of a memory instruction cannot make, and the books kept about accesses.
#include "vgpu/exec/access.h"

#include <algorithm>
#include <utility>

#include "vgpu/exec/read_memory.h"

namespace cudalabs::vgpu::exec {

namespace {

/// Where one lane's access leads.
struct Place {
  bool allowed = false;
  ViolationKind violation = ViolationKind::global_out_of_bounds;
  MemorySpace space = MemorySpace::global;
  std::uint64_t address = 0;  // generic for global, else an offset in the space
  const GlobalMemory::Range* range = nullptr;
  std::byte* host = nullptr;  // global, shared
  bool parameter = false;
};

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

Place global_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address) {
  Place place{.space = MemorySpace::global, .address = address};
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

Place shared_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t offset) {
  Place place{.space = MemorySpace::shared, .address = offset};
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

Place local_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t offset) {
  Place place{.space = MemorySpace::local, .address = offset};
  const std::uint64_t size = std::uint64_t{warp->frame->local_base} + warp->frame->code->local_bytes;
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

Place parameter_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t offset) {
  Place place{.space = MemorySpace::constant, .address = kParameterBase + offset};
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

Place generic_place(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address) {
  switch (window_of(address)) {
    case Window::global:
      return global_place(warp, descriptor, address);
    case Window::shared:
      return shared_place(warp, descriptor, address - kSharedBase);
    case Window::local:
      return local_place(warp, descriptor, address - kLocalBase);
    case Window::parameter:
      return parameter_place(warp, descriptor, address - kParameterBase);
    case Window::null:
      return {.violation = ViolationKind::null_pointer, .address = address};
    case Window::host:
      return {.violation = ViolationKind::host_pointer, .address = address};
    case Window::nowhere:
      break;
  }
  return {.violation = ViolationKind::global_out_of_bounds, .address = address};
}

Place place_of(Warp* warp, const MemoryDescriptor& descriptor, std::uint64_t address) {
  switch (descriptor.space) {
    case ptx::Space::shared:
      return shared_place(warp, descriptor, address);
    case ptx::Space::local:
      return local_place(warp, descriptor, address);
    case ptx::Space::param:
      return parameter_place(warp, descriptor, address);
    case ptx::Space::global:
    case ptx::Space::constant: {
      // These spaces lie in the global window; an address elsewhere is as wrong as a generic one would be.
      const Window window = window_of(address);
      if (window == Window::global) return global_place(warp, descriptor, address);
      Place place{.violation = ViolationKind::global_out_of_bounds, .address = address};
      if (window == Window::null) place.violation = ViolationKind::null_pointer;
      if (window == Window::host) place.violation = ViolationKind::host_pointer;
      return place;
    }
    default:
      return generic_place(warp, descriptor, address);
  }
}

// The fast path will find the lane's range the next time.
void remember(MemorySite& site, Warp* warp, const MemoryDescriptor& descriptor, const Place& place) {
  if (place.parameter || place.space == MemorySpace::local) return;
  site.space = place.space;
  if (place.space == MemorySpace::shared) {
    site.low = descriptor.space == ptx::Space::shared ? 0 : kSharedBase;
    site.span = warp->worker->launch->shared_bytes;
    site.base = warp->block->shared;
    site.read_only = false;
    site.fully_initialized = true;
  } else {
    site.low = place.range->address;
    site.span = place.range->bytes;
    site.base = warp->worker->memory->host(site.low);
    site.read_only = place.range->read_only;
    site.fully_initialized = place.range->fully_initialized;
  }
}

LaunchError error_of(ViolationKind kind) {
  return kind == ViolationKind::misaligned ? LaunchError::misaligned_address : LaunchError::illegal_address;
}

std::byte* local_word(Warp* warp, std::uint64_t offset, std::uint32_t lane) {
  return warp->local.get() + (offset / 4 * kWarpSize + lane) * 4 + offset % 4;
}

void copy_from_local(Warp* warp, std::uint64_t offset, std::uint32_t lane, std::uint32_t bytes, std::byte* to) {
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t piece = std::min(bytes - done, 4u);
    std::memcpy(to + done, local_word(warp, offset + done, lane), piece);
    done += piece;
  }
}

void copy_to_local(Warp* warp, std::uint64_t offset, std::uint32_t lane, std::uint32_t bytes, const std::byte* from) {
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t piece = std::min(bytes - done, 4u);
    std::memcpy(local_word(warp, offset + done, lane), from + done, piece);
    done += piece;
  }
}

/// Sorts the lanes by where they lead: tells observers of violations, and calls `visit(space, lanes, places)` once for
/// each space with the lanes that may go there. Returns the lanes that may go anywhere.
template <class Visit>
LaneMask sort_lanes(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask, Visit visit) {
  Worker* worker = warp->worker;
  refresh_ranges(worker);
  Place places[kWarpSize];
  LaneMask allowed = 0;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    places[lane] = place_of(warp, descriptor, worker->addresses[lane]);
    if (places[lane].allowed) allowed |= 1u << lane;
  }
  std::uint64_t told[kWarpSize] = {};
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    told[lane] = places[lane].address;
  }
  for (LaneMask refused = mask & ~allowed; refused != 0;) {
    const Place& first = places[std::countr_zero(refused)];
    LaneMask alike = 0;
    for (LaneMask left = refused; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      if (places[lane].violation == first.violation && places[lane].space == first.space) alike |= 1u << lane;
    }
    const Violation violation{.kind = first.violation,
                              .access = descriptor.kind,
                              .space = first.space,
                              .warp = warp->index,
                              .instruction = op->instruction,
                              .bytes = descriptor.bytes,
                              .lanes = alike,
                              .address = told};
    for (const auto& observer : warp->block->observers) observer->violation(violation);
    record_error(warp->block, error_of(first.violation));
    refused &= ~alike;
  }
  if (allowed != 0) {
    remember(worker->sites[descriptor.site], warp, descriptor, places[std::countr_zero(allowed)]);
  }
  for (LaneMask left = allowed; left != 0;) {
    const MemorySpace space = places[std::countr_zero(left)].space;
    LaneMask alike = 0;
    for (LaneMask rest = left; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (places[lane].space == space) alike |= 1u << lane;
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

}  // namespace

void notify(Block* block, Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, MemorySpace space,
            LaneMask mask, const std::uint64_t* addresses, bool consecutive, const std::byte* stored,
            const std::byte* current) {
  const WarpAccess access{.warp = warp->index,
                          .instruction = op->instruction,
                          .kind = descriptor.kind,
                          .space = space,
                          .order = descriptor.order,
                          .scope = descriptor.scope,
                          .bytes = descriptor.bytes,
                          .active = mask,
                          .address = addresses,
                          .consecutive = consecutive,
                          .stored = stored,
                          .current = current};
  for (BlockObserver* observer : block->access_observers) observer->access(access);
}

void announce_store(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask) {
  const std::uint64_t* offsets = warp->worker->addresses;
  LaneMask allowed = 0;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    if (shared_place(warp, descriptor, offsets[lane]).allowed) allowed |= 1u << lane;
  }
  if (allowed == 0) return;
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
  const auto visit = [&](MemorySpace space, LaneMask lanes, const Place* places, const std::uint64_t* told) {
    if (warp->block->watched) {
      notify(warp->block, warp, op, descriptor, space, lanes, told, are_consecutive(lanes, told, bytes), nullptr,
             nullptr);
    }
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      std::byte* to = worker->values + lane * bytes;
      if (places[lane].parameter) {
        std::memcpy(to, worker->launch->parameters.data() + (places[lane].address - kParameterBase), bytes);
      } else if (space == MemorySpace::local) {
        copy_from_local(warp, places[lane].address, lane, bytes, to);
      } else {
        std::memcpy(to, places[lane].host, bytes);
      }
    }
  };
  const LaneMask allowed = sort_lanes(warp, op, descriptor, mask, visit);
  for (LaneMask left = mask & ~allowed; left != 0; left &= left - 1) {
    std::memset(worker->values + static_cast<std::uint32_t>(std::countr_zero(left)) * bytes, 0, bytes);
  }
}

void careful_store(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask) {
  Worker* worker = warp->worker;
  const std::uint32_t bytes = descriptor.bytes;
  sort_lanes(warp, op, descriptor, mask,
             [&](MemorySpace space, LaneMask lanes, const Place* places, const std::uint64_t* told) {
               if (warp->block->watched) {
                 const std::byte* current = nullptr;
                 if (warp->block->wants_current_values && space != MemorySpace::local) {
                   for (LaneMask left = lanes; left != 0; left &= left - 1) {
                     const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                     std::memcpy(worker->current + lane * bytes, places[lane].host, bytes);
                   }
                   current = worker->current;
                 }
                 notify(warp->block, warp, op, descriptor, space, lanes, told, are_consecutive(lanes, told, bytes),
                        worker->values, current);
               }
               for (LaneMask left = lanes; left != 0; left &= left - 1) {
                 const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                 const std::byte* from = worker->values + lane * bytes;
                 if (space == MemorySpace::local) {
                   copy_to_local(warp, places[lane].address, lane, bytes, from);
                   continue;
                 }
                 if (space == MemorySpace::global) {
                   before_global_write(*worker->memory, places[lane].address, bytes,
                                       places[lane].range->fully_initialized);
                 }
                 std::memcpy(places[lane].host, from, bytes);
               }
             });
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

}  // namespace

AtomicAccess resolve_atomic(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask,
                            std::byte* hosts[kWarpSize]) {
  Worker* worker = warp->worker;
  const std::uint32_t bytes = descriptor.bytes;
  AtomicAccess access;
  const MemorySite& site = worker->sites[descriptor.site];
  if (!site.read_only && lanes_inside(site, worker->addresses, bytes, mask) == mask) {
    const bool global = site.space == MemorySpace::global;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      worker->offsets[lane] = global ? worker->addresses[lane] : worker->addresses[lane] - site.low;
    }
    if (warp->block->watched) {
      notify(warp->block, warp, op, descriptor, site.space, mask, worker->offsets,
             are_consecutive(mask, worker->offsets, bytes), nullptr, nullptr);
    }
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      hosts[lane] = site.base + (worker->addresses[lane] - site.low);
      if (global) before_global_write(*worker->memory, worker->addresses[lane], bytes, site.fully_initialized);
    }
    return {mask, global ? mask : 0};
  }
  access.allowed = sort_lanes(warp, op, descriptor, mask,
                              [&](MemorySpace space, LaneMask lanes, const Place* places, const std::uint64_t* told) {
                                if (warp->block->watched) {
                                  notify(warp->block, warp, op, descriptor, space, lanes, told,
                                         are_consecutive(lanes, told, bytes), nullptr, nullptr);
                                }
                                for (LaneMask left = lanes; left != 0; left &= left - 1) {
                                  const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                                  hosts[lane] = places[lane].host;
                                  if (space != MemorySpace::global) continue;
                                  before_global_write(*worker->memory, places[lane].address, bytes,
                                                      places[lane].range->fully_initialized);
                                  access.global |= 1u << lane;
                                }
                              });
  return access;
}

bool read_memory(Warp* warp, std::uint32_t lane, std::uint64_t address, void* to, std::size_t bytes) {
  refresh_ranges(warp->worker);
  MemoryDescriptor one_byte;
  one_byte.bytes = 1;
  for (std::size_t i = 0; i < bytes; ++i) {
    const Place place = generic_place(warp, one_byte, address + i);
    if (!place.allowed) return false;
    auto* byte = static_cast<std::byte*>(to) + i;
    if (place.parameter) {
      *byte = warp->worker->launch->parameters[place.address - kParameterBase];
    } else if (place.space == MemorySpace::local) {
      *byte = *local_word(warp, place.address, lane);
    } else {
      *byte = *place.host;
    }
  }
  return true;
}

}  // namespace cudalabs::vgpu::exec
