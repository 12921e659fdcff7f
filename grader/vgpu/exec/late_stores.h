// Stores that others see as late as the program allows, in a launch that races.
//
// A store that no fence, barrier or releasing access follows need not be seen by another thread before the launch ends,
// in whatever order the threads run. So what a warp stores is taken back at the end of its turn and put there again at
// the beginning of its next one, until a barrier of its block, or a fence; likewise what a block stores, until it makes
// a strong access after a fence of the whole device. Who reads without being ordered after the store then reads what
// was there before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vgpu/exec/observer.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu::exec {

/// Some stores in their order. Visible: memory has what they stored. Hidden: it has what was there before.
class StoreLog {
 public:
  StoreLog(GlobalMemory& memory, std::byte* shared) : memory_(&memory), shared_(shared) {}

  /// Visible: of a store that is about to happen.
  void add(MemorySpace space, std::uint64_t address, std::uint32_t bytes);
  void hide();  // visible before
  void show();  // hidden before
  /// Both visible; `later` is empty then. Its stores to shared memory are forgotten.
  void append_global(StoreLog& later);
  void clear() { stores_.clear(); }
  /// Visible: the first ones stay so.
  void forget_first(std::size_t stores) {
    stores_.erase(stores_.begin(), stores_.begin() + static_cast<std::ptrdiff_t>(stores));
  }
  bool empty() const { return stores_.empty(); }
  std::size_t size() const { return stores_.size(); }

 private:
  struct Store {
    std::uint64_t address;  // of the device, or an offset in shared memory
    MemorySpace space;
    std::uint8_t bytes;
    std::byte other[16];  // what memory does not have
  };
  std::byte* place(const Store& store) const;
  void swap(Store& store) const;

  GlobalMemory* memory_;
  std::byte* shared_;
  std::vector<Store> stores_;
};

/// What all blocks of a launch have to do with late stores. They run on one thread.
class LateStoresOfLaunch {
 public:
  LateStoresOfLaunch(GlobalMemory& memory, std::uint64_t seed) : memory_(memory), seed_(seed) {}

  GlobalMemory& memory() const { return memory_; }
  std::uint64_t seed() const { return seed_; }
  /// Whether one more store may be kept, by the memory and the time that this takes.
  bool has_room() const { return kept_ < kMostKept && moved_ < kMostMoved; }
  void kept_one() { ++kept_; }
  void moved(std::size_t stores) { moved_ += stores; }
  /// Of a block that has ended, hidden.
  void keep(StoreLog log) { ended_.push_back(std::move(log)); }
  /// Everyone sees what the ended blocks have stored.
  void publish();

 private:
  static constexpr std::uint64_t kMostKept = 1 << 20, kMostMoved = 1 << 25;
  GlobalMemory& memory_;
  std::uint64_t seed_;
  std::uint64_t kept_ = 0, moved_ = 0;
  std::vector<StoreLog> ended_;
};

/// Of one block at a time.
class LateStores : public BlockObserver {
 public:
  LateStores(LateStoresOfLaunch& launch, std::byte* shared, std::uint32_t warps);

  // The scheduler of blocks says who runs.
  void begin_phase(std::uint32_t late_warps) { late_warps_ = late_warps; }
  void begin_turn(std::uint32_t warp);
  void end_turn(std::uint32_t warp);
  void resume();              // the block runs
  void give_way(bool waits);  // another one runs; `waits`: this one may wait for it
  void finish();              // instead of give_way

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }
  void block_begin(const BlockInfo& block) override;
  void access(const WarpAccess& access) override;
  void fence(std::uint32_t warp, LaneMask lanes, MemoryScope scope) override;
  void barrier_complete(const BarrierCompletion& completion) override;
  void cluster_arrive(const ClusterArrival& arrival) override;

 private:
  /// What the running warp has stored is its block's.
  void publish_warp();
  void publish_warps();
  /// Everyone sees what the running block has stored; or what it had at its last fence.
  void publish_block();
  void publish_fenced();
  void keep(const WarpAccess& access);
  /// What follows a store that is kept is kept, too, up to the next barrier or fence.
  bool in_warp_log(std::uint32_t warp) const { return (late_warps_ >> warp & 1) != 0 || !of_warps_[warp].empty(); }
  bool touches_kept(const WarpAccess& access) const;

  static constexpr std::uint32_t kNobody = ~0u;
  LateStoresOfLaunch& launch_;
  std::vector<StoreLog> of_warps_;  // hidden but for that of the running warp
  StoreLog of_block_;               // in global memory; hidden while another block runs
  std::size_t fenced_ = 0;          // of these, so many came before a fence
  std::unordered_set<std::uint64_t> kept_words_;
  std::uint32_t running_ = kNobody;
  std::uint32_t waits_ = 0;
  std::uint32_t late_warps_ = 0;
  bool late_block_ = false;
};

}  // namespace cudalabs::vgpu::exec
