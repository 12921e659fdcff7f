// Which fence is missing where one block hands data to another by a flag or a counter: found by assuming them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "vgpu/check/block_order.h"
#include "vgpu/check/finding_log.h"

namespace cudalabs::vgpu {

/// The order of one launch under each assumption, for all its blocks.
struct AssumedOrders {
  static constexpr std::size_t kCount = 3;
  static constexpr std::array<BlockOrder::Assumed, kCount> kAssumed{{{.releases = true, .acquires = true},
                                                                     {.releases = true, .acquires = false},
                                                                     {.releases = false, .acquires = true}}};

  std::array<Time, kCount> now{};
  std::array<SyncLocations, kCount> sync;
  /// The instruction by which each block last wrote a strong location of global memory.
  std::unordered_map<std::uint64_t, std::map<std::uint64_t, std::uint32_t>> writers;
};

/// When a thread made an access, under each assumption.
using AssumedTimes = std::array<Time, AssumedOrders::kCount>;

/// One block at a time.
class BlockAssumedOrders {
 public:
  explicit BlockAssumedOrders(AssumedOrders& launch)
      : launch_(launch),
        orders_{{{launch.now[0], launch.sync[0], AssumedOrders::kAssumed[0]},
                 {launch.now[1], launch.sync[1], AssumedOrders::kAssumed[1]},
                 {launch.now[2], launch.sync[2], AssumedOrders::kAssumed[2]}}} {}

  void begin(const BlockInfo& block) {
    read_.reset();
    for (BlockOrder& order : orders_) order.begin(block);
  }
  void warp_sync(std::uint32_t warp, LaneMask lanes) {
    for (BlockOrder& order : orders_) order.warp_sync(warp, lanes);
  }
  void arrive(const BarrierArrival& arrival) {
    for (BlockOrder& order : orders_) order.arrive(arrival);
  }
  void complete(const BarrierCompletion& completion) {
    for (BlockOrder& order : orders_) order.complete(completion);
  }
  void fence(std::uint32_t warp, LaneMask lanes, MemoryScope scope) {
    for (BlockOrder& order : orders_) order.fence(warp, lanes, scope);
  }
  void access(const WarpAccess& access, bool learns);
  AssumedTimes times(std::uint32_t thread) const;

  /// An access by `thread` races with one that `other` made at `times` by `instruction`; nothing when no fence of
  /// theirs would order the two.
  std::optional<MissingFence> missing(std::uint32_t thread, ThreadOfGrid other, const AssumedTimes& times) const;

 private:
  bool ordered(std::size_t assumption, std::uint32_t thread, ThreadOfGrid other, const AssumedTimes& times) const;

  struct Read {
    std::uint64_t word = 0;
    std::uint32_t instruction = 0;
  };
  AssumedOrders& launch_;
  std::array<BlockOrder, AssumedOrders::kCount> orders_;
  std::optional<Read> read_;  // the last strong one of global memory, of any thread of the block
};

}  // namespace cudalabs::vgpu
