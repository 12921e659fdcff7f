// What a kernel has asked the device to do after it: launches of kernels, copies and fills.
#pragma once

#include <array>
#include <cstdint>

namespace cudalabs::vgpu::exec {

/// Levels of kernels that start kernels; the host's launches are of level 0.
constexpr std::uint32_t kDeepestLaunch = 24;
/// Of one block; those of a grid share the heap of its launch. CUDA's own limit is smaller unless a program raises it.
constexpr std::size_t kMostDeviceLaunches = 65'536;

enum class DeviceWork : std::uint8_t { launch, copy, fill };

struct DeviceLaunch {
  DeviceWork work = DeviceWork::launch;
  std::uint32_t function = 0;    // launch: into Program::functions()
  std::uint64_t parameters = 0;  // launch: where the kernel has put them, in a buffer that it was given
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t dynamic_shared_bytes = 0;
  bool tail = false;               // when all other work of the grid is done, too
  bool refused = false;            // the device cannot execute it: it does not take place
  std::uint64_t to = 0, from = 0;  // copy, fill: addresses; fill: `from` is the byte
  std::uint64_t bytes = 0;
  std::uint32_t instruction = 0;  // where it was asked for
  std::uint64_t by_block = 0;     // linear
  std::uint32_t by_thread = 0;    // linear, in its block
};

}  // namespace cudalabs::vgpu::exec
