// How many blocks of a kernel fit on a multiprocessor, by the rules of NVIDIA's occupancy calculator.
#pragma once

#include <cstdint>

#include "vgpu/model/device_model.h"

namespace cudalabs::vgpu {

struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint64_t shared_bytes = 0;  // static and dynamic
};

/// Blocks resident on one multiprocessor at a time; 0 when not even one fits.
std::uint32_t resident_blocks(const DeviceModel& model, const BlockNeeds& needs);

/// The most shared memory a block may use, in bytes, with `blocks` of them resident; 0 when so many never fit.
std::uint64_t shared_bytes_with(const DeviceModel& model, std::uint32_t blocks, std::uint32_t threads);

/// Shared memory the system keeps for itself in every block, bytes.
std::uint32_t reserved_shared_bytes(const DeviceModel& model);

}  // namespace cudalabs::vgpu
