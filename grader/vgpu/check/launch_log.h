// The finding log of one launch, shared by the block observers of all worker threads.
#pragma once

#include <bit>
#include <mutex>
#include <vector>

#include "vgpu/check/finding_log.h"

namespace cudalabs::vgpu {

class LaunchLog {
 public:
  void begin(const LaunchConfig& config) {
    config_ = config;
    log_ = {};
  }
  /// Locks: for what happens rarely.
  void add(const Sighting& sighting) {
    const std::lock_guard lock(mutex_);
    log_.add(sighting);
  }
  void merge(const FindingLog& log) {
    const std::lock_guard lock(mutex_);
    log_.merge(log);
  }
  void merge_other_run(const FindingLog& log) {
    const std::lock_guard lock(mutex_);
    log_.merge_other_run(log);
  }
  void unwritten_reads_are_harmless() { log_.unwritten_reads_are_harmless(); }
  const FindingLog& log() const { return log_; }
  const LaunchConfig& config() const { return config_; }
  bool empty() const { return log_.empty(); }
  std::vector<Finding> findings(const LaunchNames& names) const { return log_.findings(names, config_); }

 private:
  LaunchConfig config_;
  FindingLog log_;
  std::mutex mutex_;
};

inline std::uint32_t first_lane(LaneMask lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}
inline std::uint32_t last_lane(LaneMask lanes) {
  return kWarpSize - 1 - static_cast<std::uint32_t>(std::countl_zero(lanes));
}
inline std::uint32_t count_lanes(LaneMask lanes) {
  return static_cast<std::uint32_t>(std::popcount(lanes));
}
/// Linear thread index of the first of `lanes`.
inline std::uint32_t first_thread(std::uint32_t warp, LaneMask lanes) {
  return warp * kWarpSize + first_lane(lanes);
}
/// The lanes of `warp` that a block of `threads` threads has.
inline LaneMask lanes_of_warp(std::uint32_t warp, std::uint32_t threads) {
  const std::uint32_t left = threads - warp * kWarpSize;
  return left >= kWarpSize ? ~0u : (1u << left) - 1;
}

}  // namespace cudalabs::vgpu
