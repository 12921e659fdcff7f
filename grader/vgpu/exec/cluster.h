// The blocks of a cluster, which run on one worker, and the barrier that they have together.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// A barrier of two halves (`barrier.cluster.arrive`, `.wait`): a phase is over when each thread of the cluster has
/// arrived in it, or has exited.
struct ClusterBarrier {
  std::uint64_t phase = 0;    // that are over
  std::uint32_t arrived = 0;  // threads, those that have exited since included
  std::uint32_t left = 0;     // of these, those that have exited
};

struct Cluster {
  std::vector<Block*> blocks;  // by rank
  ClusterBarrier barrier;
};

/// The block of a rank in the cluster of another.
struct Peer {
  Block* block = nullptr;  // null: missing
  bool missing = false;    // there is no such rank
  bool has_ended = false;
};
Peer peer_of(const Block& block, std::uint32_t rank);

/// Lanes come to a half of the barrier; those that need not wait go on at `op->target`.
void meet_at_cluster(Warp* warp, const MicroOp* op, LaneMask lanes);
/// After the block has counted them.
void threads_left_cluster(Warp* warp, LaneMask lanes);

/// A block that cannot run on before other blocks of its cluster do.
bool waits_for_cluster(const Block& block);
/// None of the blocks can run.
bool is_stuck(const Cluster& cluster);

}  // namespace cudalabs::vgpu::exec
