// Shadow cells of one block's shared memory for the race filter: who wrote each word last, and who has read it since.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/check/barrier_needs.h"
#include "vgpu/check/block_phases.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// Two 32-bit halves a cell, kept apart so that the reading side, which changes with nearly every access, is dense:
///   write half: stamp | kind | thread, 0 when nobody wrote it yet
///   read half:  stamp | kind | thread, 0 when nobody read it since
/// A cell is a word, until the block's kernel makes an access narrower than a word: then a byte.
class SharedShadow {
 public:
  SharedShadow(BlockPhases& phases, BlockBarriers& barriers) : phases_(phases), barriers_(barriers) {}

  void resize(std::uint32_t bytes);
  /// After BlockPhases::begin: what other blocks did here is forgotten. `stamps_go_on` is what that returned.
  void begin_block(bool stamps_go_on);

  /// False: the access may race with an earlier one.
  bool access(const WarpAccess& access);

 private:
  using Half = std::uint32_t;
  enum WriteKind : Half { kPlain = 0, kAtomics = 1 };
  // kOneAfterOthers: one thread since the last synchronisation, but others before that.
  enum ReadKind : Half { kOne = 0, kOneAfterOthers = 1, kOneWarp = 2, kSeveralWarps = 3 };
  static constexpr unsigned kThreadBits = 10;
  static constexpr unsigned kKindBits = 2;
  static constexpr Half half(Stamp stamp, Half kind, std::uint32_t thread) {
    return stamp << (kThreadBits + kKindBits) | kind << kThreadBits | thread;
  }
  static constexpr Stamp stamp_of(Half h) { return h >> (kThreadBits + kKindBits); }
  static constexpr Half kind_of(Half h) { return h >> kThreadBits & ((1u << kKindBits) - 1); }
  static constexpr std::uint32_t thread_of(Half h) { return h & ((1u << kThreadBits) - 1); }

  template <class Cell>
  bool for_each_cell(const WarpAccess& access, Cell cell);
  /// A half from an earlier block is none.
  Half of_this_block(Half h) const { return h < oldest_ ? 0 : h; }
  bool load(std::size_t cell, const ThreadView& view);
  bool store(std::size_t cell, const ThreadView& view);
  bool update(std::size_t cell, const ThreadView& view);
  bool ordered_after_write(Half write, const ThreadView& view);
  bool ordered_after_reads(Half reads, const ThreadView& view);
  Half with_read(Half reads, const ThreadView& view) const;
  void note_separation(Half earlier, bool same_warp, const ThreadView& view);
  void split();

  BlockPhases& phases_;
  BlockBarriers& barriers_;
  std::vector<Half> writes_, reads_;
  Half oldest_ = 0;     // halves of this block are not below it
  unsigned shift_ = 2;  // log2 of the bytes a cell stands for
};

}  // namespace cudalabs::vgpu
