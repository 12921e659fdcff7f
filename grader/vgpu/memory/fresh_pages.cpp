// One of the threads that come to a fresh page claims it; the others wait until it has its bytes.
#include "vgpu/memory/fresh_pages.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace cudalabs::vgpu {

FreshPages::FreshPages(std::byte* memory, std::uint64_t bytes)
    : memory_(memory),
      state_bytes_(bytes / kPageBytes, Reservation::Access::read_write),
      // All-zero bytes are a valid array of atomics of value kFresh.
      states_(reinterpret_cast<std::atomic<std::uint8_t>*>(state_bytes_.data())) {}

// False when the page was touched before.
bool FreshPages::claim(std::uint64_t page) {
  std::uint8_t seen = kFresh;
  while (!states_[page].compare_exchange_weak(seen, kClaimed, std::memory_order_acq_rel)) {
    if (seen == kTouched) return false;
    if (seen == kClaimed) std::this_thread::yield();
    seen = kFresh;
  }
  return true;
}

void FreshPages::fill(std::uint64_t page) {
  if (!claim(page)) return;
  std::memset(memory_ + page * kPageBytes, 0xFF, kPageBytes);
  states_[page].store(kTouched, std::memory_order_release);
}

void FreshPages::overwrite(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = offset + bytes;
  for (std::uint64_t page = offset / kPageBytes; page * kPageBytes < end; ++page) {
    if (states_[page].load(std::memory_order_acquire) == kTouched) continue;
    const bool wholly = page * kPageBytes >= offset && (page + 1) * kPageBytes <= end;
    if (!wholly) {
      fill(page);
    } else if (claim(page)) {
      states_[page].store(kTouched, std::memory_order_release);
    }
  }
}

void FreshPages::renew(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t first = (offset + kPageBytes - 1) / kPageBytes, end = (offset + bytes) / kPageBytes;
  if (end > first) state_bytes_.clear(first, end - first);
}

}  // namespace cudalabs::vgpu
