// How threads get on in a launch that races: in an order of a seed wherever nothing in the program orders them.
//
// The usual order, warp after warp up to the next barrier, is one of many that a device may take, and often one in
// which a race does no harm. Here each block draws anew after each of its barriers: whether other blocks go on first,
// in which order its warps go, for how long at a time, which lanes of a warp go first, and whether others see stores at
// once or as late as the program allows. With several warps, blocks or barriers, something that the program does not
// order goes wrong somewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu::exec {

/// What a block draws for its time between two barriers.
struct Disorder {
  std::vector<std::uint32_t> warps;    // every warp of the block once, in the order in which they take turns
  std::uint32_t short_warps = 0;       // bit w: warp w gives way wherever it can
  LaneMask first_lanes = 0xFFFF'FFFF;  // of each warp, these go on up to where they wait before the others do
  std::uint32_t late_warps = 0;        // bit w: other warps see what warp w stores only when something orders them
  bool gives_way = false;              // other blocks go on first
  bool early_copies = false;           // cp.async copies when it is issued, not when it is waited for
};

/// `phase`: how many of the block's barriers have completed. The same for the same arguments, everywhere.
Disorder draw_disorder(std::uint64_t seed, std::uint64_t block, std::uint64_t phase, std::uint32_t warps);

/// What a block draws when it begins.
struct BlockDisorder {
  bool late_stores = false;  // other blocks see what this one stores only when something orders them
  bool leftovers = false;    // its shared memory holds what another block has left there
};
BlockDisorder draw_block_disorder(std::uint64_t seed, std::uint64_t block);

}  // namespace cudalabs::vgpu::exec
