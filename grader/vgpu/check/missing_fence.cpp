// What is ordered under which assumption, and the two strong accesses that hand over.
#include "vgpu/check/missing_fence.h"

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

namespace {
constexpr std::size_t kBoth = 0, kReleases = 1, kAcquires = 2;
}  // namespace

// What threads of a block tell each other through shared memory is not followed: it only decides whether a fence is
// named beside a race between blocks, and following it takes three times as long as all else in programs that wait at
// barrier objects.
void BlockAssumedOrders::access(const WarpAccess& a, bool learns) {
  if (a.space != MemorySpace::global) return;
  for (BlockOrder& order : orders_) order.access(a, learns);
  const bool strong = a.order != MemoryOrder::weak || a.kind == AccessKind::atomic;
  if (!strong || a.active == 0) return;
  for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t word = a.address[first_lane(lanes)] / 4;
    if (a.kind != AccessKind::store && learns && launch_.writers.contains(word)) read_ = Read{word, a.instruction};
    if (a.kind != AccessKind::load) launch_.writers[word][orders_[kBoth].block()] = a.instruction;
  }
}

AssumedTimes BlockAssumedOrders::times(std::uint32_t thread) const {
  AssumedTimes times{};
  for (std::size_t i = 0; i < orders_.size(); ++i) times[i] = orders_[i].thread(thread).released;
  return times;
}

bool BlockAssumedOrders::ordered(std::size_t assumption, std::uint32_t thread, ThreadOfGrid other,
                                 const AssumedTimes& times) const {
  const BlockKnowledge* known = orders_[assumption].thread(thread).clock.far.of(other.block);
  return known != nullptr && known->of(other.thread) > times[assumption];
}

std::optional<MissingFence> BlockAssumedOrders::missing(std::uint32_t thread, ThreadOfGrid other,
                                                        const AssumedTimes& times) const {
  if (other.block == orders_[kBoth].block() || !read_ || !ordered(kBoth, thread, other, times)) return std::nullopt;
  const auto writers = launch_.writers.find(read_->word);
  if (writers == launch_.writers.end()) return std::nullopt;
  const auto writer = writers->second.find(other.block);
  if (writer == writers->second.end()) return std::nullopt;
  MissingFence fence;
  fence.before_write = !ordered(kAcquires, thread, other, times);
  fence.after_read = !ordered(kReleases, thread, other, times);
  fence.write = writer->second;
  fence.read = read_->instruction;
  return fence;
}

}  // namespace cudalabs::vgpu
