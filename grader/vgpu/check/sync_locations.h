// Synchronisation through memory: what a fence followed by a strong write hands over to a strong read followed by a
// fence.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "vgpu/check/vector_clock.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// Knowledge handed over by releases: to every thread that acquires at device scope, to threads of the releasing
/// cluster, and to threads of the releasing block only (releases at cluster or block scope).
struct Handover {
  GridKnowledge wide;
  std::unordered_map<std::uint64_t, GridKnowledge> of_cluster;  // by cluster; in launches without clusters empty
  std::unordered_map<std::uint64_t, GridKnowledge> narrow;      // by block
};

/// A block, and its cluster; in launches without clusters the scope of a cluster is that of the block.
struct BlockInCluster {
  std::uint64_t block = 0;
  std::uint64_t cluster = 0;
  bool of_several = false;  // blocks

  MemoryScope known(MemoryScope scope) const {
    return scope == MemoryScope::cluster && !of_several ? MemoryScope::block : scope;
  }
};

/// What one thread has fenced (and hands over with its next strong write), or has read but not yet fenced.
struct ThreadHandover {
  GridKnowledge wide;        // at device scope or wider
  GridKnowledge of_cluster;  // at cluster scope or wider; holds for its own cluster only; empty where there are none
  GridKnowledge narrow;      // at any scope; holds for its own block only

  bool empty() const { return wide.empty() && of_cluster.empty() && narrow.empty(); }
  void clear() {
    wide.clear();
    of_cluster.clear();
    narrow.clear();
  }
  bool shares_with(const ThreadHandover& other) const {
    return wide.shares_with(other.wide) && of_cluster.shares_with(other.of_cluster) && narrow.shares_with(other.narrow);
  }
  void join(const ThreadHandover& other) {
    wide.join(other.wide);
    of_cluster.join(other.of_cluster);
    narrow.join(other.narrow);
  }
};

/// The strong locations of one memory, by word.
class SyncLocations {
 public:
  /// A strong write (a part of an atomic, too) by a thread of `block`. Only an atomic carries on what earlier writers
  /// released: a plain strong write replaces it.
  void write(std::uint64_t address, bool atomic, const BlockInCluster& by, const ThreadHandover& released) {
    const auto it = locations_.find(address / 4);
    if (released.empty() && (it == locations_.end() || atomic)) return;
    Handover& here = it == locations_.end() ? locations_[address / 4] : it->second;
    if (!atomic) here = {};
    here.wide.join(released.wide);
    if (!released.of_cluster.empty()) here.of_cluster[by.cluster].join(released.of_cluster);
    if (!released.narrow.empty()) here.narrow[by.block].join(released.narrow);
  }
  /// The write that was told last is a release by `thread`, at `now`.
  void release(std::uint64_t address, const BlockInCluster& by, const ThreadClock& clock, std::uint32_t thread,
               Time now, MemoryScope scope) {
    Handover& here = locations_[address / 4];
    here.narrow[by.block].join(by.block, clock, thread, now);
    if (by.known(scope) == MemoryScope::block) return;
    if (by.of_several) here.of_cluster[by.cluster].join(by.block, clock, thread, now);
    if (scope != MemoryScope::cluster) here.wide.join(by.block, clock, thread, now);
  }
  /// The same by what is no thread of `by`, and knows so much; for the block, and for its cluster.
  void hand_over(std::uint64_t address, const BlockInCluster& by, const GridKnowledge& knowledge) {
    Handover& here = locations_[address / 4];
    here.narrow[by.block].join(knowledge);
    if (by.of_several) here.of_cluster[by.cluster].join(knowledge);
  }
  /// A weak write: a thread that reads its value is ordered after no other.
  void overwrite(std::uint64_t address) {
    if (!locations_.empty()) locations_.erase(address / 4);
  }
  /// A strong read by a thread of `block`: adds what it has seen to `seen`.
  void read(std::uint64_t address, const BlockInCluster& by, ThreadHandover& seen) const {
    const auto it = locations_.find(address / 4);
    if (it == locations_.end()) return;
    seen.wide.join(it->second.wide);
    if (!it->second.of_cluster.empty()) {
      const auto found = it->second.of_cluster.find(by.cluster);
      if (found != it->second.of_cluster.end()) seen.of_cluster.join(found->second);
    }
    if (const auto narrow = it->second.narrow.find(by.block); narrow != it->second.narrow.end()) {
      seen.narrow.join(narrow->second);
    }
  }
  void clear() { locations_.clear(); }

 private:
  std::unordered_map<std::uint64_t, Handover> locations_;
};

}  // namespace cudalabs::vgpu
