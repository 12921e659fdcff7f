// Pools of device memory. What is freed goes back to the device at once, so that a pool is a set of counters.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

struct Pool {
  bool live = false;
  int reuse[3] = {1, 1, 1};  // cudaMemPoolReuse...: hints, kept for who asks
  std::uint64_t release_threshold = 0, largest = 0;
  std::uint64_t used = 0, used_high = 0;  // bytes

  bool has_room(std::uint64_t bytes) const {
    return largest == 0 || bytes <= largest - (used < largest ? used : largest);
  }
  void take(std::uint64_t bytes) {
    used += bytes;
    if (used > used_high) used_high = used;
  }
  void give_back(std::uint64_t bytes) { used -= bytes < used ? bytes : used; }
};

/// Null when it is no pool, or one that was destroyed. Under the client's lock.
Pool* pool_of(cudaMemPool_t handle);
/// Where `cudaMallocAsync` takes memory from.
Pool* current_pool();

}  // namespace cudalabs::vgpu::client
