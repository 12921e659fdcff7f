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
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace cudalabs::vgpu {

using Time = std::uint64_t;

/// Knowledge about the threads of one block. Immutable parts, one a warp, are shared, so that copies are cheap, and so
/// is learning what one more thread did: threads that meet in atomics of one place, as those of a `cuda::barrier` do,
/// learn it of each other one by one.
class BlockKnowledge {
 public:
  struct Entry {
    std::uint32_t thread = 0;
    Time time = 0;
  };
  using Entries = std::vector<Entry>;  // sorted by thread

  Time base() const { return base_; }
  void raise_base(Time base) {
    if (base <= base_) return;
    base_ = base;
    // All of it is usually older than the barrier that raised the base.
    if (warps_ && warps_->latest <= base_) warps_ = nullptr;
  }
  /// The last release of `thread` that is known.
  Time of(std::uint32_t thread) const {
    if (!warps_) return base_;
    const Warp* warp = warps_->of(thread / kWarpSize);
    return warp == nullptr ? base_ : std::max(base_, warp->times[thread % kWarpSize]);
  }
  /// What knows as much as `other` shares its parts: those who wait for each other's arrivals all come to know the
  /// same, time and again.
  void join(const BlockKnowledge& other) {
    raise_base(other.base_);
    if (!other.warps_ || other.warps_ == warps_ || other.warps_->latest <= base_) return;
    if (!warps_) {
      warps_ = other.warps_;
      return;
    }
    const Warps& theirs = *other.warps_;
    Warps joined = *warps_;
    bool like_mine = true, like_theirs = true;
    joined.parts.resize(std::max(joined.parts.size(), theirs.parts.size()));
    for (std::size_t i = 0; i < joined.parts.size(); ++i) {
      Part& mine = joined.parts[i];
      const Part before = mine, their = i < theirs.parts.size() ? theirs.parts[i] : nullptr;
      if (their != before && their != nullptr) mine = later_of(before, their);
      like_mine = like_mine && mine == before;
      like_theirs = like_theirs && mine == their;
    }
    if (like_mine) return;
    joined.latest = std::max(joined.latest, theirs.latest);
    warps_ = like_theirs ? other.warps_ : std::make_shared<const Warps>(std::move(joined));
  }
  /// `news` is sorted by thread.
  void add(const Entries& news) {
    Warps joined;
    if (warps_) joined = *warps_;
    bool any = false;
    for (auto entry = news.begin(); entry != news.end();) {
      const std::uint32_t number = entry->thread / kWarpSize;
      if (joined.parts.size() <= number) joined.parts.resize(number + 1);
      Part& part = joined.parts[number];
      auto warp = part ? std::make_shared<Warp>(*part) : std::make_shared<Warp>();
      bool changed = false;
      for (; entry != news.end() && entry->thread / kWarpSize == number; ++entry) {
        Time& time = warp->times[entry->thread % kWarpSize];
        if (entry->time <= std::max(base_, time)) continue;
        time = entry->time;
        joined.latest = std::max(joined.latest, time);
        changed = true;
      }
      if (changed) part = std::move(warp);
      any = any || changed;
    }
    if (any) warps_ = std::make_shared<const Warps>(std::move(joined));
  }
  bool shares_with(const BlockKnowledge& other) const { return base_ == other.base_ && warps_ == other.warps_; }

 private:
  static constexpr std::uint32_t kWarpSize = 32;
  struct Warp {
    std::array<Time, kWarpSize> times{};
  };
  using Part = std::shared_ptr<const Warp>;
  struct Warps {
    std::vector<Part> parts;  // by warp; may be short, and have gaps
    Time latest = 0;          // of all times

    const Warp* of(std::uint32_t warp) const { return warp < parts.size() ? parts[warp].get() : nullptr; }
  };

  /// One of the two where it knows all that the other does.
  static Part later_of(const Part& a, const Part& b) {
    if (!a) return b;
    bool a_suffices = true, b_suffices = true;
    Warp later;
    for (std::uint32_t i = 0; i < kWarpSize; ++i) {
      later.times[i] = std::max(a->times[i], b->times[i]);
      a_suffices = a_suffices && later.times[i] == a->times[i];
      b_suffices = b_suffices && later.times[i] == b->times[i];
    }
    return a_suffices ? a : b_suffices ? b : std::make_shared<const Warp>(later);
  }

  Time base_ = 0;
  std::shared_ptr<const Warps> warps_;
};

/// Knowledge about many blocks; copied on write.
class GridKnowledge {
 public:
  using Map = std::map<std::uint64_t, BlockKnowledge>;

  bool empty() const { return !map_; }
  const BlockKnowledge* of(std::uint64_t block) const {
    if (!map_) return nullptr;
    const auto it = map_->find(block);
    return it == map_->end() ? nullptr : &it->second;
  }
  void join(std::uint64_t block, const BlockKnowledge& knowledge) {
    if (const BlockKnowledge* known = of(block); known != nullptr && known->shares_with(knowledge)) return;
    writable()[block].join(knowledge);
  }
  void join(const GridKnowledge& other) {
    if (!other.map_ || other.map_ == map_) return;
    if (!map_) {
      map_ = other.map_;
      return;
    }
    for (const auto& [block, knowledge] : *other.map_) join(block, knowledge);
  }
  bool shares_with(const GridKnowledge& other) const { return map_ == other.map_; }
  template <class Visit>
  void for_each(Visit visit) const {
    if (!map_) return;
    for (const auto& [block, knowledge] : *map_) visit(block, knowledge);
  }

 private:
  Map& writable() {
    if (!map_) {
      map_ = std::make_shared<Map>();
    } else if (map_.use_count() > 1) {
      map_ = std::make_shared<Map>(*map_);
    }
    return *map_;
  }

  std::shared_ptr<Map> map_;
};

/// A thread's clock: what it knows of its own block, and of others.
struct ThreadClock {
  BlockKnowledge near;
  GridKnowledge far;

  /// `block`: the block of the thread this clock belongs to.
  void join(const GridKnowledge& knowledge, std::uint64_t block) {
    knowledge.for_each([&](std::uint64_t about, const BlockKnowledge& k) {
      if (about == block) {
        near.join(k);
      } else {
        far.join(about, k);
      }
    });
  }
  void join(const ThreadClock& other) {
    if (!near.shares_with(other.near)) near.join(other.near);
    far.join(other.far);
  }
};

}  // namespace cudalabs::vgpu
