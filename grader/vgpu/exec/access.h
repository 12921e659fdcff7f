// Every access that the fast path of a memory instruction cannot make: first touches, mixed spaces, local memory,
// violations. Also what all accesses share: telling observers, and the books kept about writes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// Loads `descriptor.bytes` for each lane in `mask` from the worker's addresses[lane] into its values[lane * bytes].
/// Lanes that may not get zeros, and the observers a violation.
void careful_load(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask);

/// Stores values[lane * bytes] to addresses[lane], in lane order, where allowed.
void careful_store(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask);

struct AtomicAccess {
  LaneMask allowed = 0;
  LaneMask global = 0;  // of these, those in global memory
};

/// Host addresses, in `hosts`, of the bytes at addresses[lane] for an atomic operation. Tells observers of the access,
/// and the undo log.
AtomicAccess resolve_atomic(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask,
                            std::byte* hosts[kWarpSize]);

/// Tells the block's observers. `addresses` are generic for global, offsets for shared memory; `owner` as in LanePlace.
void notify(Block* block, Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, MemorySpace space,
            LaneMask mask, const std::uint64_t* addresses, bool consecutive, const std::byte* stored,
            const std::byte* current, const Block* owner = nullptr);

/// Tells the block's observers that stores to offsets addresses[lane] in shared memory begin, where allowed.
void announce_store(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask mask);

/// A write of [address, address + bytes) in global memory is about to happen.
inline void before_global_write(GlobalMemory& memory, std::uint64_t address, std::uint64_t bytes,
                                bool fully_initialized) {
  if (!fully_initialized) memory.touch(address, bytes);
  memory.journal().before_write(address - kGlobalBase, bytes);
  if (!fully_initialized) memory.initialized().set(address - kGlobalBase, bytes);
}

inline void charge_strong_access(Warp* warp) {
  warp->budget -= kStrongAccessCost;
  ++warp->strong_accesses;
}

/// How a launch ends that has made such an access.
LaunchError error_of(ViolationKind kind);
/// The launch will end with `error`; it runs on so that all findings are collected.
void record_error(Block* block, LaunchError error);

}  // namespace cudalabs::vgpu::exec
