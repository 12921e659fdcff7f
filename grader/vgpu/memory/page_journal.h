// The undo log of a launch: what each page held before the launch first wrote to it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "vgpu/memory/init_bits.h"
#include "vgpu/memory/reservation.h"

namespace cudalabs::vgpu {

/// Saves 4 KiB pages (with their init bits) on first write, so that a launch can be undone. `before_write` may be
/// called by many threads; the others by one thread while nobody writes.
class PageJournal {
 public:
  /// `memory` and `bits` describe the same `bytes` of memory.
  PageJournal(std::byte* memory, InitBits bits, std::uint64_t bytes);

  /// Starts recording; what was recorded before is forgotten.
  void begin();
  /// Stops recording and forgets.
  void end();
  bool recording() const { return recording_; }

  /// Offsets are into the memory. Cheap when the pages were saved before. Does nothing when not recording.
  void before_write(std::uint64_t offset, std::uint64_t bytes) {
    if (!recording_) return;
    const std::uint64_t last = (offset + bytes - 1) / kPageBytes;
    for (std::uint64_t page = offset / kPageBytes; page <= last; ++page) {
      if (state(page).load(std::memory_order_acquire) != saved_mark()) save(page);
    }
  }

  /// What the pages that were saved hold now, by page.
  struct ChangedPage {
    std::uint64_t page;
    std::vector<std::byte> bytes;
    bool operator==(const ChangedPage&) const = default;
  };
  std::vector<ChangedPage> changed_pages() const;
  /// The same, where bytes that nobody has written count as zeros, then and now.
  std::vector<ChangedPage> changed_pages_of_written() const;

  /// Puts every saved page back as it was when `begin` was called, and goes on recording afresh.
  void roll_back();

 private:
  // A page's state is the number of the recording it was last saved in, twice, plus one once the copy is complete.
  std::atomic<std::uint32_t>& state(std::uint64_t page) { return states_[page]; }
  std::uint32_t saved_mark() const { return recording_number_ * 2 + 1; }
  void save(std::uint64_t page);

  struct SavedPage {
    std::uint64_t page;
    std::byte* copy;  // kPageBytes of memory, then kPageBytes / 8 of init bits
  };
  static constexpr std::size_t kCopyBytes = kPageBytes + kPageBytes / 8;
  static constexpr std::size_t kPagesPerChunk = 128;

  std::byte* memory_;
  InitBits bits_;
  Reservation state_bytes_;
  std::atomic<std::uint32_t>* states_;
  bool recording_ = false;
  std::uint32_t recording_number_ = 0;
  std::mutex mutex_;
  std::vector<SavedPage> saved_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;  // kept for the next launch
};

}  // namespace cudalabs::vgpu
