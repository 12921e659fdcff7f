// What a thread knows of the others' past: vector clocks that are small because blocks share most of them.
//
// Time is one counter for the launch. A thread's clock says, for every other thread, up to which of that thread's
// release events (barriers, warp synchronisations, fences) it is ordered after. After a barrier of the whole block one
// number says this of the whole block; only warp synchronisation, barriers with a thread count, and fences with
// atomics need an entry per thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace cudalabs::vgpu {

using Time = std::uint64_t;

/// Knowledge about the threads of one block. Immutable parts are shared, so copies are cheap.
class BlockKnowledge {
 public:
  struct Entry {
    std::uint32_t thread = 0;
    Time time = 0;
    bool operator==(const Entry&) const = default;
  };
  using Entries = std::vector<Entry>;  // sorted by thread

  Time base() const { return base_; }
  void raise_base(Time base) {
    if (base <= base_) return;
    base_ = base;
    if (!entries_) return;
    // All of it is usually older than the barrier that raised the base.
    Entries kept;
    for (const Entry& e : *entries_) {
      if (e.time > base_) kept.push_back(e);
    }
    entries_ = kept.empty() ? nullptr : std::make_shared<const Entries>(std::move(kept));
  }
  /// The last release of `thread` that is known.
  Time of(std::uint32_t thread) const {
    if (!entries_) return base_;
    const auto it = std::lower_bound(entries_->begin(), entries_->end(), thread,
                                     [](const Entry& e, std::uint32_t t) { return e.thread < t; });
    return it != entries_->end() && it->thread == thread ? std::max(base_, it->time) : base_;
  }
  /// What knows as much as `other` shares its entries: those who wait for each other's arrivals all come to know the
  /// same, time and again.
  void join(const BlockKnowledge& other) {
    raise_base(other.base_);
    if (!other.entries_ || other.entries_ == entries_ || (entries_ && covers(*entries_, *other.entries_))) return;
    if (base_ == other.base_ && (!entries_ || covers(*other.entries_, *entries_))) {
      entries_ = other.entries_;
    } else {
      add(*other.entries_);
    }
  }
  /// `news` is sorted by thread.
  void add(const Entries& news) {
    Entries merged;
    const Entries none;
    const Entries& mine = entries_ ? *entries_ : none;
    merged.reserve(mine.size() + news.size());
    auto a = mine.begin();
    auto b = news.begin();
    while (a != mine.end() || b != news.end()) {
      Entry e;
      if (b == news.end() || (a != mine.end() && a->thread < b->thread)) {
        e = *a++;
      } else if (a == mine.end() || b->thread < a->thread) {
        e = *b++;
      } else {
        e = {a->thread, std::max(a->time, b->time)};
        ++a;
        ++b;
      }
      if (e.time > base_) merged.push_back(e);
    }
    entries_ = merged.empty() ? nullptr : std::make_shared<const Entries>(std::move(merged));
  }
  bool shares_with(const BlockKnowledge& other) const { return base_ == other.base_ && entries_ == other.entries_; }

 private:
  static bool covers(const Entries& all, const Entries& part) {
    auto in = all.begin();
    for (const Entry& e : part) {
      while (in != all.end() && in->thread < e.thread) ++in;
      if (in == all.end() || in->thread != e.thread || in->time < e.time) return false;
    }
    return true;
  }

  Time base_ = 0;
  std::shared_ptr<const Entries> entries_;
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
