// In which order blocks begin that take turns. What counts on an order shows in another one than people think of.
//
// CUDA promises nothing of the order of blocks. What devices do is to begin blocks in about ascending order whenever
// there is room, and to let all that have begun go on. A block that waits for one with a smaller index, without having
// drawn its place from an atomic counter, relies on that: by no rule of CUDA's, but published code does so, and no
// device lets it hang. Therefore only those blocks change places that a device may hold at the same time: a block that
// waits for a smaller index finds it running or done.
#pragma once

#include <cstdint>
#include <vector>

namespace cudalabs::vgpu::exec {

/// Of blocks that take turns, within each `resident_blocks` of the grid; of a cooperative launch, within the whole
/// grid. Blocks that run at once, on several threads, begin in ascending order.
struct BeginOrder {
  enum class Kind : std::uint8_t { ascending, descending, shuffled };
  Kind kind = Kind::ascending;
  std::uint64_t seed = 0;  // shuffled: of the order
};

/// The numbers from 0 to `count` - 1 in the order in which the blocks of group `group` begin. The same for the same
/// arguments, everywhere.
std::vector<std::uint64_t> begin_order(BeginOrder order, std::uint64_t group, std::uint64_t count);

}  // namespace cudalabs::vgpu::exec
