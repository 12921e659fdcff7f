#include "vgpu/exec/barrier_waits.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "vgpu/exec/barrier_word.h"
#include "vgpu/exec/cluster.h"

namespace cudalabs::vgpu::exec {

namespace {

// A wait may give up after some time, or after some looks: then it goes on before so many rounds.
constexpr std::uint32_t kRoundsInVain = 2048;

bool only_looked(const Block& block) {
  bool any = false;
  for (const auto& warp : block.warps) {
    if (warp->done() || !warp->runnable) continue;
    if (warp->spoke || warp->failed_looks.empty()) return false;
    any = true;
  }
  return any;
}

/// Also one whose warps all wait for threads of the block, or of the cluster.
bool has_no_hope(const Block& block) {
  if (block.exited_threads == block.threads || block.rounds_in_vain >= kRoundsInVain) return true;
  return std::ranges::none_of(block.warps, [](const auto& warp) { return !warp->done() && warp->runnable; });
}

}  // namespace

void note_look(Warp* warp, const MicroOp* op, LaneMask lanes, LaneMask passed, std::uint64_t offset,
               std::uint64_t word) {
  for (FailedLook& look : warp->failed_looks) look.lanes &= ~lanes;
  std::erase_if(warp->failed_looks, [](const FailedLook& look) { return look.lanes == 0; });
  if (passed != lanes) warp->failed_looks.push_back({op, lanes & ~passed, offset, word});
}

bool waits_in_vain(Block* block) {
  block->rounds_in_vain = only_looked(*block) ? block->rounds_in_vain + 1 : 0;
  if (block->rounds_in_vain < kRoundsInVain) return false;
  return block->cluster == nullptr ||
         std::ranges::all_of(block->cluster->blocks, [](const Block* each) { return has_no_hope(*each); });
}

void add_waits(const Block& block, std::vector<Deadlock::Waiting>& waiting) {
  for (const auto& warp : block.warps) {
    for (const FailedLook& look : warp->failed_looks) {
      const barrier_word::Parts parts = barrier_word::parts_of(look.word);
      const LaneMask lanes = look.lanes & ~warp->exited;
      if (lanes == 0) continue;
      waiting.push_back({warp->index, lanes, look.op->instruction, kBarrierInMemory,
                         BarrierInMemory{look.offset, static_cast<std::uint32_t>(parts.expected),
                                         static_cast<std::uint32_t>(parts.pending), parts.bytes}});
    }
  }
}

}  // namespace cudalabs::vgpu::exec
