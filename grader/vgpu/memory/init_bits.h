// One bit for every byte of a memory: has anyone written it?
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace cudalabs::vgpu {

/// A view of a bitmap; bit i is byte i of the memory it describes. `set` and `test` may run on several threads at once:
/// bits are only ever added then, so a bit already there is left alone, which keeps loops that rewrite memory cheap.
class InitBits {
 public:
  InitBits() = default;
  explicit InitBits(std::uint64_t* words) : words_(words) {}

  void set(std::uint64_t offset, std::uint64_t bytes) {
    for_each_word(offset, bytes, [](std::uint64_t& word, std::uint64_t mask) {
      std::atomic_ref<std::uint64_t> cell(word);
      if ((cell.load(std::memory_order_relaxed) & mask) == mask) return true;
      if (mask == ~0ull) {  // a thread that sets others of the word at the same time loses nothing
        cell.store(mask, std::memory_order_relaxed);
      } else {
        cell.fetch_or(mask, std::memory_order_relaxed);
      }
      return true;
    });
  }
  bool test(std::uint64_t offset, std::uint64_t bytes) const {
    return for_each_word(offset, bytes, [](std::uint64_t& word, std::uint64_t mask) {
      return (std::atomic_ref<std::uint64_t>(word).load(std::memory_order_relaxed) & mask) == mask;
    });
  }
  /// Has anyone written one of them?
  bool test_any(std::uint64_t offset, std::uint64_t bytes) const {
    return !for_each_word(offset, bytes, [](std::uint64_t& word, std::uint64_t mask) {
      return (std::atomic_ref<std::uint64_t>(word).load(std::memory_order_relaxed) & mask) == 0;
    });
  }
  /// Only while no other thread uses the bits.
  void clear(std::uint64_t offset, std::uint64_t bytes) {
    for_each_word(offset, bytes, [](std::uint64_t& word, std::uint64_t mask) {
      word &= ~mask;
      return true;
    });
  }
  /// The word that holds the bits of bytes 64 * index .. 64 * index + 63.
  std::uint64_t word(std::uint64_t index) const {
    return std::atomic_ref<std::uint64_t>(words_[index]).load(std::memory_order_relaxed);
  }
  std::uint64_t* words() const { return words_; }

 private:
  template <class Visit>
  bool for_each_word(std::uint64_t offset, std::uint64_t bytes, Visit visit) const {
    while (bytes != 0) {
      const std::uint64_t first = offset % 64;
      const std::uint64_t count = std::min<std::uint64_t>(bytes, 64 - first);
      const std::uint64_t mask = (count == 64 ? ~0ull : (1ull << count) - 1) << first;
      if (!visit(words_[offset / 64], mask)) return false;
      offset += count;
      bytes -= count;
    }
    return true;
  }

  std::uint64_t* words_ = nullptr;
};

}  // namespace cudalabs::vgpu
