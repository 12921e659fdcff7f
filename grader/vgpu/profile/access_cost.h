// What one warp access costs the memory system: sectors of global memory, passes over the banks of shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

constexpr std::uint32_t kSectorBytes = 32;
constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

struct AccessCost {
  std::uint32_t units = 0;      // global: 32-byte sectors touched; shared: wavefronts
  std::uint32_t ideal = 0;      // the least units for as many distinct bytes
  std::uint32_t conflicts = 0;  // atomics: lanes that wait for another lane at the same address
  std::uint32_t passes = 0;     // cycles of the multiprocessor's first-level memory; 0 where not asked for
  bool operator==(const AccessCost&) const = default;
};

/// First-level cache and shared memory are one memory of 32 banks of 4 bytes: a bank gives one of its words a cycle, to
/// all lanes of the warp that want it, and the cache compares four lines of 128 bytes a cycle. (Measured on an H200 for
/// accesses of 4 and 16 bytes that hit; `shared_cost` below is coarser where lanes of different quarters of a warp
/// want the same 16 bytes.)
constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kLinesACycle = 4;

/// Who needs `passes` besides the rest: they take as long to count as the rest.
enum class Passes : bool { unwanted, wanted };

/// Sectors: distinct ones over all active lanes.
AccessCost global_cost(const WarpAccess& access, Passes passes = Passes::wanted);

/// Which words of shared memory were noted: tells distinct ones from others without putting them in order. Keeps its
/// memory, one mark a word, so that beginning anew costs nothing.
class WordMarks {
 public:
  void begin() {
    if (++now_ == kEnd) restart();
  }
  /// How often the word was noted since `begin`, this time among them; at most 32 times.
  std::uint32_t note(std::uint64_t word) {
    if (word >= marks_.size()) marks_.resize(static_cast<std::size_t>(word) + kMore);
    std::uint32_t& mark = marks_[static_cast<std::size_t>(word)];
    mark = mark >> kCountBits == now_ ? mark + 1 : now_ << kCountBits | 1;
    return mark & ((1u << kCountBits) - 1);
  }

 private:
  static constexpr unsigned kCountBits = 6;
  static constexpr std::uint32_t kEnd = 1u << (32 - kCountBits);
  static constexpr std::size_t kMore = 1024;
  void restart();

  std::vector<std::uint32_t> marks_;  // by word: when it was last noted, and how often then
  std::uint32_t now_ = 0;
};

/// Wavefronts: a bank delivers one of its words at a time to all lanes that want it. Accesses of 8 bytes are made by
/// half warps, of 16 bytes by quarter warps, one after the other. Atomics on the same word take a pass each. Addresses
/// are offsets in a block's shared memory, as far as which `marks` grow.
AccessCost shared_cost(const WarpAccess& access, WordMarks& marks, Passes passes = Passes::wanted);

}  // namespace cudalabs::vgpu
