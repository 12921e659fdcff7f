// Where a launch has read what nobody has written.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>

#include "vgpu/check/launch_log.h"
#include "vgpu/memory/reservation.h"

namespace cudalabs::vgpu {

/// Of what is read and was never written, for all blocks of a launch.
class UnwrittenReads {
 public:
  void begin() {
    any_ = atomics_ = false;
    pages_.clear();
    last_page_ = ~std::uint64_t{0};
  }
  void add_shared() { any_ = true; }
  /// Reads and writes in one: what it leaves there, the order of others that write there decides.
  void add_atomic() { any_ = atomics_ = true; }
  void add_global(const WarpAccess& a, LaneMask lanes) {
    any_ = true;
    const std::lock_guard lock(mutex_);
    for (; lanes != 0 && pages_.size() <= kMostPages; lanes &= lanes - 1) {
      const std::uint64_t begin = a.address[first_lane(lanes)] - kGlobalBase;
      for (std::uint64_t page = begin / kPageBytes; page <= (begin + a.bytes - 1) / kPageBytes; ++page) {
        if (page != last_page_) pages_.insert(page);
        last_page_ = page;
      }
    }
  }
  bool any() const { return any_; }
  std::optional<std::set<std::uint64_t>> pages() const {
    return pages_.size() <= kMostPages && !atomics_ ? std::optional(pages_) : std::nullopt;
  }

 private:
  static constexpr std::size_t kMostPages = 16'384;  // 64 MiB

  std::atomic<bool> any_ = false, atomics_ = false;
  std::mutex mutex_;
  std::set<std::uint64_t> pages_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
};

}  // namespace cudalabs::vgpu
