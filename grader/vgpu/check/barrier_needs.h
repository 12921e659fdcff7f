// Which barrier sites of a launch kept two conflicting accesses apart, told by the race filter as it goes.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

#include "vgpu/check/barrier_usage.h"
#include "vgpu/check/block_phases.h"
#include "vgpu/check/launch_names.h"

namespace cudalabs::vgpu {

/// Barrier sites as bits of a word. A launch has at most 63 sites with a bit of their own; the rest share the last one,
/// which counts as needed.
using SiteMask = std::uint64_t;
constexpr std::uint32_t kLastSite = 63;

/// Of one launch, for all its blocks.
class LaunchBarriers {
 public:
  std::uint32_t site(std::uint32_t instruction);
  /// What a block observer has gathered of a block: by site, block executions; sites needed; sets of which one is
  /// needed.
  void add(const std::vector<std::uint64_t>& executed, SiteMask needed, const std::set<SiteMask>& alternatives);
  /// `all_needed`: the launch had races, so nothing can be said against any barrier.
  BarrierUsage usage(const LaunchNames& names, bool all_needed) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> instructions_;
  std::vector<std::uint64_t> executed_;
  std::vector<bool> repeated_;  // some block executed it more than once
  SiteMask needed_ = 1ull << kLastSite;
  std::set<SiteMask> alternatives_;
};

/// Of the blocks of one observer.
class BlockBarriers {
 public:
  explicit BlockBarriers(LaunchBarriers& launch) : launch_(launch) {}

  void begin_block() {
    count_ = 0;
    newest_ = 0;
    arrived_ = 0;
  }
  /// Hands over what was gathered.
  void end_block();
  void arrive(std::uint32_t instruction) { arrived_ |= SiteMask{1} << site(instruction); }
  /// A barrier of the whole block begins the phase `phase`.
  void complete(Stamp phase);
  /// Barriers with a thread count are not judged: they count as needed.
  void complete_counted() {
    count_executions();
    needed_ |= arrived_;
    arrived_ = 0;
  }

  /// True while nothing more can be learnt about the barrier that began this phase; then `separates` need not be
  /// called.
  bool settled() const { return (newest_ & ~needed_) == 0; }
  /// The barriers since `earlier`, a stamp below the current phase, keep two conflicting accesses apart.
  void separates(Stamp earlier);
  /// As `separates`, for an access so long ago that its stamp is lost.
  void separates_unknown();

 private:
  struct Phase {
    Stamp begin = 0;
    SiteMask sites = 0;
  };
  static constexpr std::uint32_t kKept = 8;

  std::uint32_t site(std::uint32_t instruction);
  void count_executions();

  LaunchBarriers& launch_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> known_;  // instruction, site
  SiteMask arrived_ = 0;
  SiteMask newest_ = 0;
  std::array<Phase, kKept> phases_;  // a ring
  std::uint32_t count_ = 0;          // phases begun by a barrier in this block
  std::vector<std::uint64_t> executed_;
  SiteMask needed_ = 0;
  std::set<SiteMask> alternatives_;
};

}  // namespace cudalabs::vgpu
