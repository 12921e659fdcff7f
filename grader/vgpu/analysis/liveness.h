// Which registers hold a value that may still be read, where a block is entered.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vgpu/analysis/flow_graph.h"

namespace cudalabs::vgpu {

/// A set of registers for each block.
class RegisterSets {
 public:
  RegisterSets(std::size_t blocks, std::size_t registers) : words_((registers + 63) / 64), bits_(blocks * words_) {}

  std::size_t words() const { return words_; }
  std::uint64_t* of(std::size_t block) { return bits_.data() + block * words_; }
  const std::uint64_t* of(std::size_t block) const { return bits_.data() + block * words_; }
  void add(std::size_t block, std::uint32_t reg) { of(block)[reg / 64] |= 1ull << (reg % 64); }
  void remove(std::size_t block, std::uint32_t reg) { of(block)[reg / 64] &= ~(1ull << (reg % 64)); }

  /// Calls visit(register) for each register of a word of a set.
  template <class Visit>
  static void for_each(std::size_t word, std::uint64_t bits, Visit visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<std::uint32_t>(word * 64 + std::countr_zero(bits)));
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// What each block reads before it writes it, and what it writes in any case. Filled backwards, from each block's end.
struct BlockUses {
  BlockUses(std::size_t blocks, std::size_t registers) : read_first(blocks, registers), written(blocks, registers) {}

  void reads(std::size_t block, std::uint32_t reg) { read_first.add(block, reg); }
  void writes(std::size_t block, std::uint32_t reg) {
    read_first.remove(block, reg);
    written.add(block, reg);
  }

  RegisterSets read_first, written;
};

/// Of each block that is entered. `ways`: between the blocks.
RegisterSets alive_at_entry(const Ways& ways, const BlockUses& uses, std::size_t registers);

/// A word of the set that is alive when a block is left.
std::uint64_t alive_at_exit(const Ways& ways, const RegisterSets& at_entry, std::size_t block, std::size_t word);

}  // namespace cudalabs::vgpu
