#include "vgpu/check/bulk_order.h"

#include <algorithm>
#include <utility>

#include "vgpu/check/launch_log.h"
#include "vgpu/check/race_rules.h"

namespace cudalabs::vgpu {

namespace {

const BlockKnowledge* known_of(const ThreadClock& clock, std::uint64_t block, std::uint64_t own) {
  return block == own ? &clock.near : clock.far.of(block);
}

}  // namespace

void BulkOrder::begin(const BulkBegin& begin) {
  CopyInBulk copy;
  copy.thread = first_thread(begin.warp, 1u << begin.lane);
  copy.order.clock = order_.begin_beside(copy.thread);
  copy.began = copy.order.released = order_.tick();
  copies_.push_back(std::move(copy));
}

BlockKnowledge BulkOrder::ended(std::uint32_t number, bool only_reads) {
  BlockKnowledge end;
  const Time now = order_.tick();
  end.add(thread_of(number, true), now);
  if (!only_reads) end.add(thread_of(number, false), now);
  return end;
}

void BulkOrder::done(const BulkDone& done, BlockOrder& owner) {
  const CopyInBulk& copy = copies_[done.copy - 1];
  GridKnowledge all = copy.order.clock.far;
  all.join(order_.block(), copy.order.clock.near);
  all.join(order_.block() | kCopiesOfBlock, ended(done.copy, false));
  owner.hand_over(done.offset, all);
}

void BulkOrder::waited(std::uint32_t number, std::uint32_t thread, bool only_reads) {
  order_.learn(thread, order_.block() | kCopiesOfBlock, ended(number, only_reads));
}

void BulkOrder::fence(std::uint32_t warp, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t thread = first_thread(warp, lanes);
    ThreadClock before = order_.begin_beside(thread);
    const Time now = order_.thread(thread).released;
    BlockKnowledge fence;
    fence.add(thread, now);
    order_.learn(thread, order_.block() | kFencesOfBlock, fence);
    fences_[thread] = {now, std::move(before)};
  }
}

LaneMask BulkOrder::unfenced(const PastAccess& store, LaneMask lanes, const CopyInBulk& copy) const {
  LaneMask without = 0;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const std::uint32_t lane = first_lane(left);
    if (!is_fenced(store, lane, copy)) without |= 1u << lane;
  }
  return without;
}

/// By the thread that has stored, as is usual, or by another one that knew of the store, and of whose fence the copy
/// knows. A fence that is later than the one that it knows of may stand for an earlier one: that counts, too.
bool BulkOrder::is_fenced(const PastAccess& store, std::uint32_t lane, const CopyInBulk& copy) const {
  const ThreadClock& clock = copy.order.clock;
  const std::uint32_t writer = store.warp * kWarpSize + lane;
  const BlockKnowledge* of_writers = clock.far.of(store.block | kFencesOfBlock);
  if (of_writers != nullptr && of_writers->of(writer) > store.epoch) return true;
  const std::uint64_t own = order_.block();
  const BlockKnowledge* fences = clock.far.of(own | kFencesOfBlock);
  if (fences == nullptr) return false;
  return std::ranges::any_of(fences_, [&](const auto& entry) {
    const auto& [thread, fence] = entry;
    const Time known = fences->of(thread);
    if (known == 0) return false;
    if (fence.time > known) return true;
    PastAccess one = store;
    one.lanes = 1u << lane;
    return lanes_not_before(one, known_of(fence.clock, store.block, own), own) == 0;
  });
}

}  // namespace cudalabs::vgpu
