// Who accessed which bytes of a memory since they were last ordered: lists of accesses for every word, or every byte of
// the words that saw accesses narrower than a word.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "vgpu/check/instruction_roles.h"
#include "vgpu/check/vector_clock.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// Copies in bulk are threads of a block of their own, and so are fences of the proxies: see bulk_order.h.
constexpr std::uint64_t kCopiesOfBlock = std::uint64_t{1} << 62, kFencesOfBlock = std::uint64_t{1} << 63;
/// The block whose thread made the access, or began the copy that did.
constexpr std::uint64_t home_of(std::uint64_t block) {
  return block & ~(kCopiesOfBlock | kFencesOfBlock);
}
constexpr bool is_copy(std::uint64_t block) {
  return (block & kCopiesOfBlock) != 0;
}

/// An access by some lanes of a warp, all in the same epoch: none of them released anything between `epoch` and the
/// access, so that who is ordered after one of them beyond `epoch` is ordered after the access.
struct PastAccess {
  Time epoch = 0;
  std::array<Time, 3> assumed{};  // as epoch, see AssumedOrders; all 0 where fences cannot matter
  Time fenced = 0;  // strong writes: the last fence before it, which hands it over together with what came before
  std::uint64_t block = 0;
  std::uint64_t cluster = 0;  // the block's
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  std::uint32_t instruction = 0;
  std::uint32_t issuer = 0;  // of a copy in bulk: the thread that has begun it
  AccessKind kind = AccessKind::load;
  bool strong = false;  // atomic, volatile or otherwise ordered: does not race with other strong ones in its scope
  MemoryScope scope = MemoryScope::block;  // of strong ones
  LoadUse use = LoadUse::unknown;          // of loads and atomics
  std::uint32_t drawn = 0;  // the number that the block drew last from a counter and its warp knows, plus 1; 0: none
  LaneMask verified = 0;    // loads: lanes that have compared what they read since, by atomicCAS on the same place
  bool counts = false;      // atomics: adds or takes away
  bool counted_before = false;  // looks at what the block has counted in
  bool updates = false;         // strong stores: the thread has read the same place before, as part of no atomic

  bool writes() const { return kind != AccessKind::load; }
  /// The same but for the lanes.
  bool alike(const PastAccess& o) const {
    return epoch == o.epoch && assumed == o.assumed && fenced == o.fenced && block == o.block && warp == o.warp &&
           instruction == o.instruction && kind == o.kind && strong == o.strong && scope == o.scope &&
           updates == o.updates && counted_before == o.counted_before && drawn == o.drawn;
  }
};

/// Lists of accesses by address.
class AccessHistory {
 public:
  using Index = std::uint32_t;
  static constexpr Index kEnd = ~Index{0};
  struct Node {
    PastAccess access;
    Index next = kEnd;
  };
  /// The accesses to a word, or to a byte.
  struct Cell {
    Index first = kEnd;
    /// Set by the user: it knows enough reads, and no write, so that another read need not be looked at.
    bool read_by_many = false;
    /// Set by the user: atomics and strong loads are all that it knows.
    bool only_polled = false;
  };

  Node& node(Index index) { return nodes_[index]; }
  /// Of a node that is soon asked for, or kEnd. Nodes of a list lie anywhere: waiting for them took a fifth of the time
  /// of kernels with barrier objects.
  void prefetch(Index index) const {
    if (index != kEnd) __builtin_prefetch(&nodes_[index]);
  }
  void push(Cell& cell, const PastAccess& access) {
    const Index index = new_node();
    nodes_[index] = {access, cell.first};
    cell.first = index;
  }
  /// Takes the node that `link` names out of its list; `link` names the next one then.
  void remove(Index& link) {
    const Index index = link;
    link = nodes_[index].next;
    nodes_[index].next = free_;
    free_ = index;
  }

  /// Calls visit(cell, address, bytes) for every cell that [address, address + bytes) touches: words, or bytes where
  /// the word is split. An access narrower than a word, or not aligned to words, splits the words it touches.
  template <class Visit>
  void visit(std::uint64_t address, std::uint32_t bytes, Visit visit) {
    const bool narrow = address % kWord != 0 || bytes % kWord != 0;
    for (std::uint64_t at = address, end = address + bytes; at < end;) {
      const std::uint64_t next = std::min(end, (at / kWord + 1) * kWord);
      Line& line = line_of(at);
      const std::size_t word = at / kWord % kWordsPerLine;
      if (narrow && !line.is_split(word)) split(line, word);
      if (line.is_split(word)) {
        for (; at < next; ++at) visit((*line.bytes)[at % kLineBytes], at, 1);
      } else {
        visit(line.words[word], at, kWord);
      }
      at = next;
    }
  }

  /// Calls visit(access, address) for all that is remembered, each cell's from the last on.
  template <class Visit>
  void for_each(Visit visit) const {
    const auto cells = [&](const auto& list, std::uint64_t address, std::uint64_t step) {
      for (const Cell& cell : list) {
        for (Index i = cell.first; i != kEnd; i = nodes_[i].next) visit(nodes_[i].access, address);
        address += step;
      }
    };
    for (const auto& [number, line] : lines_) {
      cells(line->words, number * kLineBytes, kWord);
      if (line->bytes) cells(*line->bytes, number * kLineBytes, 1);
    }
  }

  void clear();

 private:
  static constexpr std::uint64_t kWord = 4;
  static constexpr std::uint64_t kWordsPerLine = 64;
  static constexpr std::uint64_t kLineBytes = kWord * kWordsPerLine;
  struct Line {
    std::array<Cell, kWordsPerLine> words;
    std::uint64_t split_words = 0;  // one bit a word
    std::unique_ptr<std::array<Cell, kLineBytes>> bytes;
    bool is_split(std::size_t word) const { return split_words >> word & 1; }
  };

  Line& line_of(std::uint64_t address);
  void split(Line& line, std::size_t word);
  Index new_node();

  std::unordered_map<std::uint64_t, std::unique_ptr<Line>> lines_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Line* last_line_ = nullptr;
  std::vector<Node> nodes_;
  Index free_ = kEnd;
};

}  // namespace cudalabs::vgpu
