// Words of global memory, read and set from outside of kernels.
#pragma once

#include <cstdint>
#include <span>

#include "catch/catch.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu::test {

inline std::uint32_t word_of(const GlobalMemory& memory, DeviceAddress address) {
  std::uint32_t word = 0;
  REQUIRE(memory.copy_out(std::as_writable_bytes(std::span(&word, 1)), address));
  return word;
}

/// False: there is no memory.
inline bool set(GlobalMemory& memory, DeviceAddress address, std::uint32_t word) {
  return memory.copy_in(address, std::as_bytes(std::span(&word, 1)));
}

}  // namespace cudalabs::vgpu::test
