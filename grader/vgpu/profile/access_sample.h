// One execution of a memory instruction by one warp, kept to show people what it did.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

struct AccessSample {
  std::string kernel;  // demangled, without parameters
  SourcePlace where;
  AccessKind kind = AccessKind::load;
  MemorySpace space = MemorySpace::global;  // global or shared
  std::uint8_t bytes = 4;                   // per lane
  Index3 block{};
  std::uint32_t warp = 0;  // in its block
  LaneMask active = 0;     // lanes that access memory
  LaneMask present = ~0u;  // lanes that have a thread: the last warp of a block may have fewer than 32
  std::array<std::uint64_t, kWarpSize>
      address{};                               // of the active lanes; 0 for the others. Shared: offset in the block's
  std::uint64_t region = 0, region_bytes = 0;  // what they lie in: an allocation, a variable, the block's shared memory
  std::string name;                            // of the variable; empty for allocations and shared memory

  bool operator==(const AccessSample&) const = default;
};

/// The sample as an access to be costed. Keeps a pointer into it.
inline WarpAccess as_access(const AccessSample& sample) {
  WarpAccess access;
  access.warp = sample.warp;
  access.kind = sample.kind;
  access.space = sample.space;
  access.bytes = sample.bytes;
  access.active = sample.active;
  access.address = sample.address.data();
  return access;
}

}  // namespace cudalabs::vgpu
