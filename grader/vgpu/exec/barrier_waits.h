// Waits at barriers in memory (`mbarrier`), which are loops around a look: who has looked in vain, and whether anybody
// can still end the wait.
#pragma once

#include <cstdint>

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// Lanes have looked at a barrier: those of `passed` go on. `offset`: where it lies in the shared memory of the block;
/// `word`: what it held, both of the first lane that does not pass.
void note_look(Warp* warp, const MicroOp* op, LaneMask lanes, LaneMask passed, std::uint64_t offset,
               std::uint64_t word);

/// To be asked after a round in which warps talked, and none got on. True when for a long time all warps that can run
/// have done nothing but look at barriers in memory, in vain, here and in the other blocks of the cluster: only these
/// could have changed what they wait for.
bool waits_in_vain(Block* block);

/// What these warps wait for, for observers.
void add_waits(const Block& block, std::vector<Deadlock::Waiting>& waiting);

}  // namespace cudalabs::vgpu::exec
