// What a thread knows of the others' past: vector clocks that are small because blocks share most of them.
//
// Time is one counter for the launch. A thread's clock says, for every other thread, up to which of that thread's
// release events (barriers, warp synchronisations, fences) it is ordered after. After a barrier of the whole block one
// number says this of the whole block; only warp synchronisation, barriers with a thread count, and fences with
// atomics need an entry per thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "vgpu/check/block_knowledge.h"
#include "vgpu/check/blocks_known.h"

namespace cudalabs::vgpu {

struct ThreadClock;

/// Knowledge about many blocks; copied on write. What changes from one moment to the next is mostly that of a few
/// blocks: it is kept apart, so that the rest is shared. (After a barrier of the grid all threads share what they know
/// of all blocks. Where each of them then has an atomic of its own, as many copies took gigabytes.)
class GridKnowledge {
 public:
  bool empty() const { return !map_ && !apart_; }
  void clear() {
    if (!empty()) *this = {};
  }
  const BlockKnowledge* of(std::uint64_t block) const {
    for (const Apart& apart : all_apart()) {
      if (apart.block == block) return &apart.knowledge;
    }
    return in_map(block);
  }
  /// Of no other block than this one.
  bool is_of(std::uint64_t block) const {
    return std::ranges::all_of(all_apart(), [&](const Apart& apart) { return apart.block == block; }) &&
           (!map_ || map_->is_of(block));
  }
  void join(std::uint64_t block, const BlockKnowledge& knowledge) {
    const BlockKnowledge* known = of(block);
    if (known != nullptr && known->shares_with(knowledge)) return;
    BlockKnowledge next = known == nullptr ? BlockKnowledge{} : *known;
    next.join(knowledge);
    if (known == nullptr || !known->shares_with(next)) keep_apart(block, std::move(next));
  }
  /// All that a thread of `block` knows, and itself up to `time`.
  void join(std::uint64_t block, const ThreadClock& clock, std::uint32_t thread, Time time);
  void join(const GridKnowledge& other) {
    if (empty()) {
      *this = other;
      return;
    }
    if (other.map_ && other.map_ != map_) {
      // Many threads learn the same one after the other: they share it.
      if (!map_ || other.map_->covers(*map_)) {
        map_ = other.map_;
        join_apart_with_map();
      } else if (!map_->covers(*other.map_)) {
        writable().join(*other.map_);
        join_apart_with_map();
      }
    }
    if (other.apart_ == apart_) return;
    const std::shared_ptr<const Aparts> theirs = other.apart_;  // which may be this one's own
    for (const Apart& apart : theirs ? theirs->all() : std::span<const Apart>()) join(apart.block, apart.knowledge);
  }
  /// To be called before many threads get copies that learn more: they then share the map for longer.
  void make_room() {
    if (all_apart().size() > Aparts::kMost / 2) empty_apart();
  }
  bool shares_with(const GridKnowledge& other) const {
    if (map_ != other.map_) return false;
    return apart_ == other.apart_ ||
           std::ranges::equal(all_apart(), other.all_apart(), [](const Apart& a, const Apart& b) {
             return a.block == b.block && a.knowledge.shares_with(b.knowledge);
           });
  }

 private:
  struct Apart {
    std::uint64_t block = 0;
    BlockKnowledge knowledge;  // with what the map knows of the block
  };
  /// Shared by the threads that a barrier has told the same: each of them then has no more than two pointers, which a
  /// barrier can compare faster than it can write down what they stand for.
  struct Aparts {
    static constexpr std::size_t kMost = 4;

    std::span<Apart> all() { return std::span(list).first(count); }
    std::span<const Apart> all() const { return std::span(list).first(count); }

    std::array<Apart, kMost> list;
    std::size_t count = 0;  // never 0 in one that is kept
  };

  const BlockKnowledge* in_map(std::uint64_t block) const { return map_ ? map_->find(block) : nullptr; }
  /// What is apart knows what the map knows.
  void join_apart_with_map() {
    for (std::size_t i = 0; i < all_apart().size(); ++i) {
      const std::uint64_t block = all_apart()[i].block;
      if (const BlockKnowledge* known = in_map(block)) join(block, *known);
    }
  }
  BlocksKnown& writable() {
    if (!map_) {
      map_ = std::make_shared<BlocksKnown>();
    } else if (map_.use_count() > 1) {
      map_ = std::make_shared<BlocksKnown>(*map_);
    }
    return *map_;
  }
  std::span<const Apart> all_apart() const { return apart_ ? std::as_const(*apart_).all() : std::span<const Apart>(); }
  Aparts& writable_apart() {
    if (!apart_) {
      apart_ = std::make_shared<Aparts>();
    } else if (apart_.use_count() > 1) {
      apart_ = std::make_shared<Aparts>(*apart_);
    }
    return *apart_;
  }
  /// In place of what was known of the block, if that was apart.
  void keep_apart(std::uint64_t block, BlockKnowledge knowledge) {
    const std::span<const Apart> known = all_apart();
    const auto place = static_cast<std::size_t>(std::ranges::find(known, block, &Apart::block) - known.begin());
    if (place == Aparts::kMost) {
      empty_apart();
      return keep_apart(block, std::move(knowledge));
    }
    Aparts& aparts = writable_apart();
    aparts.list[place] = {block, std::move(knowledge)};
    aparts.count = std::max(aparts.count, place + 1);
  }

  void empty_apart() {
    BlocksKnown& map = writable();
    for (const Apart& apart : all_apart()) map.set(apart.block, apart.knowledge);
    apart_ = nullptr;
  }

  std::shared_ptr<BlocksKnown> map_;
  std::shared_ptr<Aparts> apart_;
};

/// A thread's clock: what it knows of its own block, and of others.
struct ThreadClock {
  BlockKnowledge near;
  GridKnowledge far;

  /// `block`: the block of the thread this clock belongs to. What `far` then says of that block nobody asks: with it,
  /// threads can share the whole.
  void join(const GridKnowledge& knowledge, std::uint64_t block) {
    if (const BlockKnowledge* own = knowledge.of(block)) near.join(*own);
    if (!knowledge.is_of(block)) far.join(knowledge);
  }
  bool shares_with(const ThreadClock& other) const {
    return near.shares_with(other.near) && far.shares_with(other.far);
  }
  void join(const ThreadClock& other) {
    if (!near.shares_with(other.near)) near.join(other.near);
    far.join(other.far);
  }
};

inline void GridKnowledge::join(std::uint64_t block, const ThreadClock& clock, std::uint32_t thread, Time time) {
  join(clock.far);
  const BlockKnowledge* known = of(block);
  BlockKnowledge mine = known == nullptr ? BlockKnowledge{} : *known;
  mine.join(clock.near);
  mine.add(thread, time);
  keep_apart(block, std::move(mine));
}

}  // namespace cudalabs::vgpu
