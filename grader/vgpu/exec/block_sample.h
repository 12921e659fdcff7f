// Which blocks of a grid are executed when not all of them are.
#pragma once

#include <cstdint>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu::exec {

/// As many ranges of the grid as blocks are wanted, all about as long, and a block of each: the first of the first, the
/// last of the last, anywhere in the others, so that no column of the grid is met more often than others. The choice
/// depends on nothing but the numbers.
class BlockSample {
 public:
  /// `wanted` 0, or not less than there are: all blocks. Of a grid of clusters whole ones are taken: what is said of
  /// blocks here goes for clusters then, but for `wanted`.
  BlockSample(const LaunchConfig& config, std::uint64_t wanted);

  std::uint64_t size() const { return size_; }
  /// Linear index of the block at `place` < size(); ascending.
  std::uint64_t operator[](std::uint64_t place) const;

 private:
  std::uint64_t blocks_, size_;
};

}  // namespace cudalabs::vgpu::exec
