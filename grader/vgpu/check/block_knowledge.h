// What a thread knows of the past of one block's threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
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
  bool empty() const { return base_ == 0 && !warps_; }
  void clear() {
    base_ = 0;
    if (warps_) warps_ = nullptr;
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

}  // namespace cudalabs::vgpu
