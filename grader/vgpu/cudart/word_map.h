// From words of four bytes to others, by the million.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cudalabs::vgpu {

/// A table with open addressing: an entry is eight bytes of one array. A node for each entry, as the standard library's
/// tables have, takes five times as long to make and to throw away again.
class WordMap {
 public:
  using Word = std::uint32_t;

  /// `expected`: so many entries get in before it has to grow.
  explicit WordMap(std::size_t expected = 0) : slots_(std::bit_ceil(2 * expected + 2)) {}

  template <typename Iterator>
  WordMap(Iterator first, Iterator last) : WordMap(static_cast<std::size_t>(last - first)) {
    for (; first != last; ++first) insert(first->first, first->second);
  }

  /// The word that `from` is mapped to, and whether that is new: what is known already stays. The place is good until
  /// the next insertion.
  std::pair<Word*, bool> insert(Word from, Word to) {
    if (2 * (entries_ + 1) > slots_.size()) grow();
    if (from == 0) {
      const bool fresh = !std::exchange(has_zero_, true);
      if (fresh) of_zero_ = to;
      return {&of_zero_, fresh};
    }
    Slot& slot = slots_[place_of(from)];
    const bool fresh = slot.from == 0;
    if (fresh) {
      slot = {from, to};
      ++entries_;
    }
    return {&slot.to, fresh};
  }

  /// Null: it is not there.
  const Word* find(Word from) const {
    if (from == 0) return has_zero_ ? &of_zero_ : nullptr;
    const Slot& slot = slots_[place_of(from)];
    return slot.from == 0 ? nullptr : &slot.to;
  }

  bool contains(Word from) const { return find(from) != nullptr; }
  bool empty() const { return size() == 0; }
  std::size_t size() const { return entries_ + (has_zero_ ? 1 : 0); }

  /// Calls `function(from, to)` for every entry, in no order.
  template <typename Function>
  void for_each(const Function& function) const {
    if (has_zero_) function(Word{0}, of_zero_);
    for (const Slot& slot : slots_) {
      if (slot.from != 0) function(slot.from, slot.to);
    }
  }

 private:
  struct Slot {
    Word from = 0, to = 0;  // from 0: free
  };

  /// Where a word is, or would be.
  std::size_t place_of(Word word) const {
    constexpr std::uint64_t kGolden = 0x9e37'79b9'7f4a'7c15;  // 2^64 by the golden ratio: spreads neighbours
    const std::size_t last = slots_.size() - 1;
    std::size_t place = (word * kGolden) >> (64 - std::countr_zero(slots_.size()));
    while (slots_[place].from != 0 && slots_[place].from != word) place = (place + 1) & last;
    return place;
  }

  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : before) {
      if (slot.from != 0) slots_[place_of(slot.from)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two, at least two, never more than half full
  std::size_t entries_ = 0;  // in them
  bool has_zero_ = false;    // the entry of 0, which marks free slots
  Word of_zero_ = 0;
};

}  // namespace cudalabs::vgpu
