// What a thread knows of the others' past: vector clocks that are small because blocks share most of them.
//
// Time is one counter for the launch. A thread's clock says, for every other thread, up to which of that thread's
// release events (barriers, warp synchronisations, fences) it is ordered after. After a barrier of the whole block one
// number says this of the whole block; only warp synchronisation, barriers with a thread count, and fences with
// atomics need an entry per thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cudalabs::vgpu {

using Time = std::uint64_t;

/// Knowledge about the threads of one block. Immutable parts, one a warp, are shared, so that copies are cheap, and so
/// is learning what one more thread did: threads that meet in atomics of one place, as those of a `cuda::barrier` do,
/// learn it of each other one by one. What was made out of another by learning more follows it in a line, so that of
/// two in one line the later one is known to know all of the earlier one.
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
  /// The lanes of `lanes` of which no release after `time` is known.
  std::uint32_t unknown_after(std::uint32_t warp, std::uint32_t lanes, Time time) const {
    if (base_ > time) return 0;
    const Warp* known = warps_ ? warps_->of(warp) : nullptr;
    if (known == nullptr || known->latest <= time) return lanes;
    if (known->earliest > time) return 0;
    std::uint32_t unknown = 0;
    for (std::uint32_t i = 0; i < kWarpSize; ++i) unknown |= std::uint32_t{known->times[i] <= time} << i;
    return unknown & lanes;
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
    if (warps_->line == theirs.line) {
      if (warps_->step < theirs.step) warps_ = other.warps_;
      return;
    }
    // Copies are for those who know different things, and they are few.
    const std::size_t warps = std::max(warps_->parts.size(), theirs.parts.size());
    bool mine_suffices = true, theirs_suffice = true;
    for (std::uint32_t i = 0; i < warps && (mine_suffices || theirs_suffice); ++i) {
      const Warp *my = warps_->of(i), *their = theirs.of(i);
      if (my == their) continue;
      mine_suffices = mine_suffices && covers(my, their);
      theirs_suffice = theirs_suffice && covers(their, my);
    }
    if (mine_suffices) return;
    if (theirs_suffice) {
      warps_ = other.warps_;
      return;
    }
    Warps joined = *warps_;
    joined.parts.resize(warps);
    joined.latest = std::max(joined.latest, theirs.latest);
    for (std::size_t i = 0; i < theirs.parts.size(); ++i) join_part(joined.parts[i], theirs.parts[i]);
    follow(std::move(joined));
  }
  void add(std::uint32_t thread, Time time) {
    if (time <= of(thread)) return;
    Warps joined;
    if (warps_) joined = *warps_;
    const std::uint32_t number = thread / kWarpSize;
    if (joined.parts.size() <= number) joined.parts.resize(number + 1);
    Part& part = joined.parts[number];
    auto warp = part ? std::make_shared<Warp>(*part) : std::make_shared<Warp>();
    warp->times[thread % kWarpSize] = time;
    warp->settle();
    part = std::move(warp);
    joined.latest = std::max(joined.latest, time);
    follow(std::move(joined));
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
      if (changed) {
        warp->settle();
        part = std::move(warp);
      }
      any = any || changed;
    }
    if (any) follow(std::move(joined));
  }
  bool shares_with(const BlockKnowledge& other) const { return base_ == other.base_ && warps_ == other.warps_; }
  /// Knows all that `other` knows.
  bool covers(const BlockKnowledge& other) const {
    if (base_ < other.base_) return false;
    if (!other.warps_ || other.warps_ == warps_ || other.warps_->latest <= base_) return true;
    if (!warps_) return false;
    if (warps_->line == other.warps_->line) return warps_->step >= other.warps_->step;
    for (std::uint32_t i = 0; i < other.warps_->parts.size(); ++i) {
      const Warp *my = warps_->of(i), *their = other.warps_->of(i);
      if (my != their && !covers(my, their)) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kWarpSize = 32;
  struct Warp {
    std::array<Time, kWarpSize> times{};
    Time earliest = 0, latest = 0;  // of `times`: mostly all lanes are known of, or none

    void settle() {
      const auto [least, most] = std::ranges::minmax(times);
      earliest = least;
      latest = most;
    }
  };
  using Part = std::shared_ptr<const Warp>;
  struct Warps {
    std::vector<Part> parts;  // by warp; may be short, and have gaps
    Time latest = 0;          // of all times
    std::uint64_t line = 0;   // each step of a line knows what the one before knows, and more
    std::uint64_t step = 0;
    mutable bool last = true;  // of its line

    const Warp* of(std::uint32_t warp) const { return warp < parts.size() ? parts[warp].get() : nullptr; }
  };

  /// `next` is a copy of what this one knows (or nothing), with more.
  void follow(Warps next) {
    static std::atomic<std::uint64_t> lines = 0;
    if (warps_ && warps_->last) {
      warps_->last = false;
      next.line = warps_->line;
      next.step = warps_->step + 1;
    } else {
      next.line = ++lines;
      next.step = 0;
    }
    next.last = true;
    warps_ = std::make_shared<const Warps>(std::move(next));
  }

  static bool covers(const Warp* all, const Warp* part) {
    if (part == nullptr) return true;
    if (all == nullptr) return false;
    bool every = true;
    for (std::uint32_t i = 0; i < kWarpSize; ++i) every &= all->times[i] >= part->times[i];
    return every;
  }
  static void join_part(Part& mine, const Part& their) {
    if (mine == their || covers(mine.get(), their.get())) return;
    if (covers(their.get(), mine.get())) {
      mine = their;
      return;
    }
    auto later = std::make_shared<Warp>(*mine);
    for (std::uint32_t i = 0; i < kWarpSize; ++i) later->times[i] = std::max(later->times[i], their->times[i]);
    later->settle();
    mine = std::move(later);
  }

  Time base_ = 0;
  std::shared_ptr<const Warps> warps_;
};

struct ThreadClock;

/// Knowledge about many blocks; copied on write. What changes from one moment to the next is mostly that of a few
/// blocks: it is kept apart, so that the rest is shared. (After a barrier of the grid all threads share what they know
/// of all blocks. Where each of them then has an atomic of its own, as many copies took gigabytes.)
class GridKnowledge {
 public:
  using Map = std::map<std::uint64_t, BlockKnowledge>;

  bool empty() const { return !map_ && !apart_; }
  const BlockKnowledge* of(std::uint64_t block) const {
    for (const Apart& apart : all_apart()) {
      if (apart.block == block) return &apart.knowledge;
    }
    return in_map(block);
  }
  /// Of no other block than this one.
  bool is_of(std::uint64_t block) const {
    return std::ranges::all_of(all_apart(), [&](const Apart& apart) { return apart.block == block; }) &&
           (!map_ || map_->empty() || (map_->size() == 1 && map_->contains(block)));
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
      if (!map_ || covers(*other.map_, *map_)) {
        map_ = other.map_;
        // What is apart knows what the map knows.
        for (std::size_t i = 0; i < all_apart().size(); ++i) {
          const std::uint64_t block = all_apart()[i].block;
          if (const BlockKnowledge* known = in_map(block)) join(block, *known);
        }
      } else if (!covers(*map_, *other.map_)) {
        Map& mine = writable();
        for (const auto& [block, knowledge] : *other.map_) {
          if (is_apart(block)) {
            join(block, knowledge);
          } else {
            mine[block].join(knowledge);
          }
        }
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

  static bool covers(const Map& all, const Map& part) {
    if (all.size() < part.size()) return false;
    auto at = all.begin();
    for (const auto& [block, knowledge] : part) {
      while (at != all.end() && at->first < block) ++at;
      if (at == all.end() || at->first != block || !at->second.covers(knowledge)) return false;
    }
    return true;
  }
  const BlockKnowledge* in_map(std::uint64_t block) const {
    if (!map_) return nullptr;
    const auto it = map_->find(block);
    return it == map_->end() ? nullptr : &it->second;
  }
  Map& writable() {
    if (!map_) {
      map_ = std::make_shared<Map>();
    } else if (map_.use_count() > 1) {
      map_ = std::make_shared<Map>(*map_);
    }
    return *map_;
  }
  std::span<const Apart> all_apart() const { return apart_ ? std::as_const(*apart_).all() : std::span<const Apart>(); }
  bool is_apart(std::uint64_t block) const {
    return std::ranges::find(all_apart(), block, &Apart::block) != all_apart().end();
  }
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
    Map& map = writable();
    for (const Apart& apart : all_apart()) map[apart.block] = apart.knowledge;
    apart_ = nullptr;
  }

  std::shared_ptr<Map> map_;
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
