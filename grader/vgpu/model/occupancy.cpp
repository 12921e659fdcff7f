// How many blocks of a kernel fit on a multiprocessor.
//
// Granularities are those of NVIDIA's occupancy calculator (Nsight Compute) for compute capability 7.0 to 9.0:
// registers are given to warps 256 at a time, warps to the four schedulers in turn, shared memory to blocks 256 (7.x)
// or 128 bytes at a time, and from 8.0 on each block has 1 KiB of shared memory taken by the system.
#include "vgpu/model/occupancy.h"

#include <algorithm>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::uint32_t kRegisterUnit = 256;  // registers, per warp
constexpr std::uint32_t kRegisterBanks = 4;   // of a multiprocessor

std::uint64_t shared_unit(const DeviceModel& model) {
  return model.compute_major >= 8 ? 128 : 256;
}

template <class T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint32_t warps_of(std::uint32_t threads) {
  return (threads + kWarpSize - 1) / kWarpSize;
}

/// Blocks that the multiprocessor's warp and block slots have room for.
std::uint32_t blocks_by_slots(const DeviceModel& model, std::uint32_t threads) {
  const std::uint32_t warp_slots = model.max_threads_per_multiprocessor / kWarpSize;
  return std::min(model.max_blocks_per_multiprocessor, warp_slots / warps_of(threads));
}

}  // namespace

std::uint32_t reserved_shared_bytes(const DeviceModel& model) {
  return model.compute_major >= 8 ? 1024 : 0;
}

std::uint32_t resident_blocks(const DeviceModel& model, const BlockNeeds& needs) {
  if (needs.threads == 0 || needs.threads > model.max_threads_per_block) return 0;
  std::uint32_t blocks = blocks_by_slots(model, needs.threads);
  if (needs.registers_per_thread > 0) {
    const std::uint32_t per_warp = round_up(needs.registers_per_thread * kWarpSize, kRegisterUnit);
    const std::uint32_t warps = model.registers_per_multiprocessor / per_warp / kRegisterBanks * kRegisterBanks;
    blocks = std::min(blocks, warps / warps_of(needs.threads));
  }
  if (needs.shared_bytes > model.shared_bytes_per_block_optin) return 0;
  const std::uint64_t shared = round_up(needs.shared_bytes + reserved_shared_bytes(model), shared_unit(model));
  if (shared > 0) {
    blocks =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, model.shared_bytes_per_multiprocessor / shared));
  }
  return blocks;
}

std::uint64_t shared_bytes_with(const DeviceModel& model, std::uint32_t blocks, std::uint32_t threads) {
  if (threads == 0 || threads > model.max_threads_per_block || blocks == 0 || blocks > blocks_by_slots(model, threads))
    return 0;
  const std::uint64_t share = model.shared_bytes_per_multiprocessor / blocks / shared_unit(model) * shared_unit(model);
  const std::uint64_t reserved = reserved_shared_bytes(model);
  return share <= reserved ? 0 : std::min<std::uint64_t>(share - reserved, model.shared_bytes_per_block);
}

}  // namespace cudalabs::vgpu
