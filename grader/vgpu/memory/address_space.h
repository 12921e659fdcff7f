// Where the virtual GPU's memory lies: the address windows of the generic address space, and what a stray address is.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

using DeviceAddress = std::uint64_t;

/// Global memory (and constants): 256 GiB of addresses in which no Linux process on x86-64 or AArch64 keeps anything,
/// so that a host pointer is never mistaken for a device pointer, nor the other way round.
constexpr DeviceAddress kGlobalBase = 0x2000'0000'0000;
constexpr std::uint64_t kGlobalWindow = 256ull << 30;

/// Shared memory of the blocks of a cluster, as seen through generic addresses. The first part is that of the executing
/// block, whichever that is; the next ones are those of the blocks of rank 0, 1, …: also that of the executing block.
constexpr DeviceAddress kSharedBase = 0x2100'0000'0000;
constexpr std::uint64_t kSharedPart = 16ull << 20;
constexpr std::uint32_t kSharedParts = 256;
constexpr std::uint64_t kSharedWindow = kSharedPart * kSharedParts;
/// Where the part of the block of this rank begins in the window. No cluster has as many blocks as there are parts.
constexpr std::uint64_t shared_part_of(std::uint32_t rank) {
  return kSharedPart * (rank < kSharedParts - 1 ? rank + 1 : kSharedParts - 1);
}
/// Local memory of the executing thread.
constexpr DeviceAddress kLocalBase = 0x2200'0000'0000;
constexpr std::uint64_t kLocalWindow = 16ull << 20;
/// The kernel's parameters, readable through generic addresses (`__grid_constant__`).
constexpr DeviceAddress kParameterBase = 0x2300'0000'0000;
constexpr std::uint64_t kParameterWindow = 64ull << 10;
/// Functions: the value of a function pointer. Nothing can be loaded from here.
constexpr DeviceAddress kCodeBase = 0x2400'0000'0000;

/// Which window a generic address points into; the last three are no device memory at all.
enum class Window : std::uint8_t { global, shared, local, parameter, null, host, nowhere };

/// `null`: the first 4 MiB, reached by indexing from a null pointer; programs begin above them. `host`: where a process
/// keeps code, heap and stack.
constexpr Window window_of(DeviceAddress address) {
  if (address - kGlobalBase < kGlobalWindow) return Window::global;
  if (address - kSharedBase < kSharedWindow) return Window::shared;
  if (address - kLocalBase < kLocalWindow) return Window::local;
  if (address - kParameterBase < kParameterWindow) return Window::parameter;
  if (address < 0x40'0000) return Window::null;
  if (address >= 0x1000'0000'0000 && address < 0x4000'0000'0000) return Window::nowhere;
  if (address < 0x8000'0000'0000) return Window::host;
  return Window::nowhere;
}

}  // namespace cudalabs::vgpu
