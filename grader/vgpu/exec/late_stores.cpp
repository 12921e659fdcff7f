#include "vgpu/exec/late_stores.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "vgpu/exec/disorder.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

namespace {

// Who waits for a store gets to see it after so many times that its writer waited, too: on a device no store is late
// for ever.
constexpr std::uint32_t kMostWaits = 64;

constexpr std::uint64_t kInShared = 1ull << 63;
constexpr std::uint64_t kWordBytes = 4;

std::uint64_t word_key(MemorySpace space, std::uint64_t address) {
  return address / kWordBytes | (space == MemorySpace::shared ? kInShared : 0);
}

}  // namespace

std::byte* StoreLog::place(const Store& store) const {
  return store.space == MemorySpace::shared ? shared_ + store.address : memory_->host(store.address);
}

void StoreLog::swap(Store& store) const {
  std::swap_ranges(store.other, store.other + store.bytes, place(store));
}

void StoreLog::add(MemorySpace space, std::uint64_t address, std::uint32_t bytes) {
  Store store{address, space, static_cast<std::uint8_t>(bytes), {}};
  if (space == MemorySpace::global) memory_->touch(address, bytes);
  std::memcpy(store.other, place(store), bytes);
  stores_.push_back(store);
}

// The last store to a place takes what memory has now, also what a store that was not kept has left there since: those
// need no books of their own.
void StoreLog::hide() {
  for (auto store = stores_.rbegin(); store != stores_.rend(); ++store) swap(*store);
}

void StoreLog::show() {
  for (Store& store : stores_) swap(store);
}

void StoreLog::append_global(StoreLog& later) {
  std::ranges::copy_if(later.stores_, std::back_inserter(stores_),
                       [](const Store& store) { return store.space == MemorySpace::global; });
  later.clear();
}

void LateStoresOfLaunch::publish() {
  for (StoreLog& log : ended_) log.show();
  ended_.clear();
}

LateStores::LateStores(LateStoresOfLaunch& launch, std::byte* shared, std::uint32_t warps)
    : launch_(launch), of_warps_(warps, StoreLog(launch.memory(), shared)), of_block_(launch.memory(), nullptr) {}

void LateStores::block_begin(const BlockInfo& block) {
  kept_words_.clear();
  fenced_ = 0;
  running_ = kNobody;
  waits_ = 0;
  late_warps_ = 0;
  late_block_ = draw_block_disorder(launch_.seed(), block.index).late_stores;
}

void LateStores::begin_turn(std::uint32_t warp) {
  running_ = warp;
  launch_.moved(of_warps_[warp].size());
  of_warps_[warp].show();
}

void LateStores::end_turn(std::uint32_t warp) {
  if (!launch_.has_room()) publish_warp();
  running_ = kNobody;
  launch_.moved(of_warps_[warp].size());
  of_warps_[warp].hide();
}

void LateStores::resume() {
  launch_.moved(of_block_.size());
  of_block_.show();
}

void LateStores::give_way(bool waits) {
  if (waits && ++waits_ % kMostWaits == 0) {
    publish_warps();
    publish_block();
    launch_.publish();
  }
  if (!launch_.has_room()) publish_block();
  launch_.moved(of_block_.size());
  of_block_.hide();
}

void LateStores::finish() {
  publish_warps();
  if (of_block_.empty()) return;
  of_block_.hide();
  launch_.keep(std::move(of_block_));
  of_block_ = StoreLog(launch_.memory(), nullptr);
}

void LateStores::access(const WarpAccess& access) {
  if (access.space == MemorySpace::local || access.space == MemorySpace::constant) return;
  const bool of_others = access.space == MemorySpace::cluster;  // which see it at once
  const bool strong = access.order != MemoryOrder::weak || access.kind == AccessKind::atomic;
  const bool releases = access.order == MemoryOrder::release || access.order == MemoryOrder::acq_rel;
  if (releases) fence(access.warp, access.active, access.scope);
  if (strong && access.space != MemorySpace::shared) publish_fenced();
  if (of_others) return;
  if (access.kind == AccessKind::store && !releases && access.copy == 0) {
    if (in_warp_log(access.warp) || (late_block_ && access.space == MemorySpace::global)) keep(access);
  } else if (access.kind != AccessKind::load && touches_kept(access)) {  // goes on from what all see
    publish_warp();
    publish_block();
  }
}

void LateStores::fence(std::uint32_t, LaneMask, MemoryScope scope) {
  publish_warp();
  if (scope != MemoryScope::block) fenced_ = of_block_.size();
}

void LateStores::barrier_complete(const BarrierCompletion&) {
  publish_warps();
}

void LateStores::cluster_arrive(const ClusterArrival& arrival) {
  if (!arrival.releases) return publish_fenced();
  publish_warp();
  publish_block();
}

void LateStores::publish_warp() {
  if (running_ == kNobody || of_warps_[running_].empty()) return;
  if (!late_block_) return of_warps_[running_].clear();
  of_block_.append_global(of_warps_[running_]);
}

void LateStores::publish_warps() {
  const std::uint32_t running = running_;
  for (std::uint32_t warp = 0; warp < of_warps_.size(); ++warp) {
    if (of_warps_[warp].empty()) continue;
    if (warp != running) of_warps_[warp].show();
    running_ = warp;
    publish_warp();
  }
  running_ = running;
}

void LateStores::publish_block() {
  of_block_.clear();
  fenced_ = 0;
}

void LateStores::publish_fenced() {
  of_block_.forget_first(fenced_);
  fenced_ = 0;
}

void LateStores::keep(const WarpAccess& access) {
  StoreLog& log = in_warp_log(access.warp) ? of_warps_[access.warp] : of_block_;
  for (const std::uint32_t lane : each_lane(access.active)) {
    if (!launch_.has_room()) return;
    launch_.kept_one();
    log.add(access.space, access.address[lane], access.bytes);
    for (std::uint64_t at = 0; at < access.bytes; at += kWordBytes)
      kept_words_.insert(word_key(access.space, access.address[lane] + at));
  }
}

bool LateStores::touches_kept(const WarpAccess& access) const {
  if (kept_words_.empty()) return false;
  for (const std::uint32_t lane : each_lane(access.active)) {
    const std::uint64_t first = access.address[lane];
    if (kept_words_.contains(word_key(access.space, first))) return true;
    if (kept_words_.contains(word_key(access.space, first + access.bytes - 1))) return true;
  }
  return false;
}

}  // namespace cudalabs::vgpu::exec
