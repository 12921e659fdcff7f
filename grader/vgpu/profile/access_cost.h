// What one warp access costs the memory system: sectors of global memory, passes over the banks of shared memory.
#pragma once

#include <cstdint>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

constexpr std::uint32_t kSectorBytes = 32;
constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

struct AccessCost {
  std::uint32_t units = 0;      // global: 32-byte sectors touched; shared: wavefronts
  std::uint32_t ideal = 0;      // the least units for as many distinct bytes
  std::uint32_t conflicts = 0;  // atomics: lanes that wait for another lane at the same address
  std::uint32_t passes = 0;     // cycles of the multiprocessor's first-level memory
  bool operator==(const AccessCost&) const = default;
};

/// First-level cache and shared memory are one memory of 32 banks of 4 bytes: a bank gives one of its words a cycle, to
/// all lanes of the warp that want it, and the cache compares four lines of 128 bytes a cycle. (Measured on an H200 for
/// accesses of 4 and 16 bytes that hit; `shared_cost` below is coarser where lanes of different quarters of a warp
/// want the same 16 bytes.)
constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kLinesACycle = 4;

/// Sectors: distinct ones over all active lanes.
AccessCost global_cost(const WarpAccess& access);

/// Wavefronts: a bank delivers one of its words at a time to all lanes that want it. Accesses of 8 bytes are made by
/// half warps, of 16 bytes by quarter warps, one after the other. Atomics on the same word take a pass each.
AccessCost shared_cost(const WarpAccess& access);

}  // namespace cudalabs::vgpu
