// Shadow cells of one block's shared memory for the race filter: who wrote each word last, and who has read it since.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/check/barrier_needs.h"
#include "vgpu/check/block_phases.h"
#include "vgpu/check/shadow_kernels.h"
#include "vgpu/check/shared_cell.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// Two 32-bit halves a cell, kept apart so that the reading side, which changes with nearly every access, is dense:
///   write half: stamp | kind | thread, 0 when nobody wrote it yet
///   read half:  stamp | kind | thread, 0 when nobody read it since
/// A cell is a word, until the block's kernel makes an access narrower than a word: then a byte.
class SharedShadow {
 public:
  SharedShadow(BlockPhases& phases, BlockBarriers& barriers, const ShadowKernels& kernels)
      : phases_(phases), barriers_(barriers), kernels_(kernels) {}

  void resize(std::uint32_t bytes);
  /// After BlockPhases::begin: what other blocks did here is forgotten. `stamps_go_on` is what that returned.
  void begin_block(bool stamps_go_on);

  /// False: the access may race with an earlier one.
  bool access(const WarpAccess& access);
  /// The same of all loads of a run.
  bool load_run(const LoadRun& run);

 private:
  using Half = shared_cell::Half;

  template <class Cell>
  bool for_each_cell(const WarpAccess& access, Cell cell);
  bool whole_warp(const WarpAccess& access);
  RunView view_of(std::uint32_t warp) const;
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
  const ShadowKernels& kernels_;
  std::vector<Half> writes_, reads_;
  Half oldest_ = 0;     // halves of this block are not below it
  unsigned shift_ = 2;  // log2 of the bytes a cell stands for
};

}  // namespace cudalabs::vgpu
