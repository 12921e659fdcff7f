// The undo log of a launch: what each page held before the launch first wrote to it.
#include "vgpu/memory/page_journal.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace cudalabs::vgpu {

namespace {

/// `words`: the init bits of the page.
std::vector<std::byte> written_bytes(const std::byte* page, const std::byte* words) {
  std::vector<std::byte> bytes(page, page + kPageBytes);
  constexpr std::size_t kBits = 64;
  for (std::size_t first = 0; first < kPageBytes; first += kBits) {
    std::uint64_t word = 0;
    std::memcpy(&word, words + first / 8, sizeof word);
    if (word == ~std::uint64_t{0}) continue;
    for (std::size_t bit = 0; bit < kBits; ++bit)
      if ((word >> bit & 1) == 0) bytes[first + bit] = std::byte{0};
  }
  return bytes;
}

}  // namespace

PageJournal::PageJournal(std::byte* memory, InitBits bits, std::uint64_t bytes)
    : memory_(memory),
      bits_(bits),
      state_bytes_(bytes / kPageBytes * sizeof(std::atomic<std::uint32_t>), Reservation::Access::read_write),
      // All-zero bytes are a valid array of atomics of value 0, "saved in recording 0", which never happens.
      states_(reinterpret_cast<std::atomic<std::uint32_t>*>(state_bytes_.data())) {}

void PageJournal::begin() {
  saved_.clear();
  ++recording_number_;
  recording_ = true;
}

void PageJournal::end() {
  saved_.clear();
  recording_ = false;
}

void PageJournal::save(std::uint64_t page) {
  const std::uint32_t claimed_mark = recording_number_ * 2;
  std::uint32_t seen = state(page).load(std::memory_order_acquire);
  while (seen != saved_mark()) {
    if (seen == claimed_mark) {  // another thread is copying it
      std::this_thread::yield();
      seen = state(page).load(std::memory_order_acquire);
      continue;
    }
    if (!state(page).compare_exchange_weak(seen, claimed_mark, std::memory_order_acq_rel)) continue;
    std::byte* copy = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (saved_.size() / kPagesPerChunk == chunks_.size()) {
        chunks_.push_back(std::make_unique<std::byte[]>(kPagesPerChunk * kCopyBytes));
      }
      copy = chunks_[saved_.size() / kPagesPerChunk].get() + saved_.size() % kPagesPerChunk * kCopyBytes;
      saved_.push_back({page, copy});
    }
    std::memcpy(copy, memory_ + page * kPageBytes, kPageBytes);
    std::memcpy(copy + kPageBytes, bits_.words() + page * kPageBytes / 64, kPageBytes / 8);
    state(page).store(saved_mark(), std::memory_order_release);
    return;
  }
}

std::vector<PageJournal::ChangedPage> PageJournal::changed_pages() const {
  std::vector<ChangedPage> pages;
  pages.reserve(saved_.size());
  for (const SavedPage& saved : saved_) {
    const std::byte* now = memory_ + saved.page * kPageBytes;
    if (std::memcmp(now, saved.copy, kPageBytes) == 0) continue;
    pages.push_back({saved.page, std::vector<std::byte>(now, now + kPageBytes)});
  }
  std::ranges::sort(pages, {}, &ChangedPage::page);
  return pages;
}

std::vector<PageJournal::ChangedPage> PageJournal::changed_pages_of_written() const {
  std::vector<ChangedPage> pages;
  for (const SavedPage& saved : saved_) {
    const auto* const words = reinterpret_cast<const std::byte*>(bits_.words() + saved.page * kPageBytes / 64);
    std::vector<std::byte> now = written_bytes(memory_ + saved.page * kPageBytes, words);
    if (now != written_bytes(saved.copy, saved.copy + kPageBytes)) pages.push_back({saved.page, std::move(now)});
  }
  std::ranges::sort(pages, {}, &ChangedPage::page);
  return pages;
}

void PageJournal::roll_back() {
  for (const SavedPage& saved : saved_) {
    std::memcpy(memory_ + saved.page * kPageBytes, saved.copy, kPageBytes);
    std::memcpy(bits_.words() + saved.page * kPageBytes / 64, saved.copy + kPageBytes, kPageBytes / 8);
  }
  begin();
}

}  // namespace cudalabs::vgpu
