// Memory that holds 0xFF bytes (NaN) until it is written, and costs nothing until it is touched.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "vgpu/memory/reservation.h"

namespace cudalabs::vgpu {

/// A page that nobody has touched yet gets its bytes when it is first touched. Offsets are into the memory. `touch`,
/// `overwrite` and `is_fresh` may be called by many threads; `renew` while nobody uses the pages.
class FreshPages {
 public:
  /// All of `memory` is fresh; it has `bytes` bytes, which read as zero.
  FreshPages(std::byte* memory, std::uint64_t bytes);

  /// To be called before [offset, offset + bytes) is read or written. Cheap when the pages were touched before.
  void touch(std::uint64_t offset, std::uint64_t bytes) {
    const std::uint64_t last = (offset + bytes - 1) / kPageBytes;
    for (std::uint64_t page = offset / kPageBytes; page <= last; ++page) {
      if (states_[page].load(std::memory_order_acquire) != kTouched) fill(page);
    }
  }
  /// The same before all of [offset, offset + bytes) is written: pages wholly inside need no bytes of their own.
  void overwrite(std::uint64_t offset, std::uint64_t bytes);
  /// Nobody has touched the page of this offset.
  bool is_fresh(std::uint64_t offset) const {
    return states_[offset / kPageBytes].load(std::memory_order_acquire) != kTouched;
  }
  /// The pages wholly inside [offset, offset + bytes), which read as zero again, are fresh.
  void renew(std::uint64_t offset, std::uint64_t bytes);

 private:
  enum : std::uint8_t { kFresh, kClaimed, kTouched };
  void fill(std::uint64_t page);
  bool claim(std::uint64_t page);

  std::byte* memory_;
  Reservation state_bytes_;
  std::atomic<std::uint8_t>* states_;  // by page
};

}  // namespace cudalabs::vgpu
