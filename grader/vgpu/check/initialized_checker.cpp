// Keeps a bit for every byte of shared memory, uses memory's bits for global memory, and asks them on every load.
#include "vgpu/check/initialized_checker.h"

#include <algorithm>
#include <array>
#include <vector>

#include "vgpu/check/launch_log.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {

namespace {

/// One bit for every byte of a block's shared memory. Cleared for every block.
class SharedInit {
 public:
  void reset(std::uint32_t bytes) {
    words_.assign(bytes / 64 + 1, 0);
    unwritten_ = bytes;
  }
  bool all_written() const { return unwritten_ == 0; }
  bool written(std::uint64_t at, std::uint32_t bytes) const {
    const std::uint64_t mask = ((1ull << bytes) - 1) << (at % 64);
    return (words_[at / 64] & mask) == mask;
  }
  void mark(std::uint64_t at, std::uint32_t bytes) {
    const std::uint64_t mask = ((1ull << bytes) - 1) << (at % 64);
    std::uint64_t& word = words_[at / 64];
    unwritten_ -= static_cast<std::uint32_t>(std::popcount(mask & ~word));
    word |= mask;
  }

 private:
  // Accesses are aligned and at most 16 bytes wide, so each lies in one word.
  std::vector<std::uint64_t> words_;
  std::uint32_t unwritten_ = 0;
};

/// What is known of the allocation an instruction used last. Looking an allocation up locks, so it must be rare.
struct KnownRange {
  std::uint64_t first = 1;  // device address; the default holds nothing
  std::uint64_t bytes = 0;
  bool full = false;           // every byte is written, and stays so
  std::uint32_t patience = 0;  // accesses until a range that was not full is looked at again

  bool holds(std::uint64_t address, std::uint32_t count) const {
    return address - first < bytes && bytes - (address - first) >= count;
  }
};

class InitializedBlockObserver : public BlockObserver {
 public:
  InitializedBlockObserver(LaunchLog& log, GlobalMemory& memory, std::uint32_t shared_bytes)
      : log_(log), memory_(memory), bits_(memory.initialized()), shared_bytes_(shared_bytes) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }

  void block_begin(const BlockInfo& block) override {
    block_ = block.index;
    shared_.reset(shared_bytes_);
  }

  void access(const WarpAccess& a) override {
    if (a.space == MemorySpace::shared) {
      if (!shared_.all_written()) shared_access(a);
    } else if (a.space == MemorySpace::global) {
      global_access(a);
    }
  }

 private:
  static constexpr std::size_t kRanges = 64;
  static constexpr std::uint32_t kPatience = 256;

  void shared_access(const WarpAccess& a) {
    LaneMask bad = 0;
    if (a.kind != AccessKind::store) {
      for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
        const std::uint32_t lane = first_lane(lanes);
        if (!shared_.written(a.address[lane], a.bytes)) bad |= 1u << lane;
      }
    }
    if (a.kind != AccessKind::load) {
      for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1)
        shared_.mark(a.address[first_lane(lanes)], a.bytes);
    }
    if (bad != 0) report(a, bad, Verdict::uninitialized_shared);
  }

  void global_access(const WarpAccess& a) {
    KnownRange& range = range_of(a);
    if (range.full && all_inside(a, range)) return;
    LaneMask bad = 0;
    if (a.kind != AccessKind::store) {
      for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
        const std::uint32_t lane = first_lane(lanes);
        if (!bits_.test(a.address[lane] - kGlobalBase, a.bytes)) bad |= 1u << lane;
      }
    }
    if (a.kind != AccessKind::load) {
      if (a.consecutive) {
        bits_.set(a.address[0] - kGlobalBase, std::uint64_t{a.bytes} * kWarpSize);
      } else {
        for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
          bits_.set(a.address[first_lane(lanes)] - kGlobalBase, a.bytes);
        }
      }
    }
    if (bad != 0) report(a, bad, Verdict::uninitialized_global);
  }

  KnownRange& range_of(const WarpAccess& a) {
    if (const auto now = memory_.generation(); now != generation_) {
      ranges_.fill({});
      generation_ = now;
    }
    KnownRange& range = ranges_[a.instruction % kRanges];
    const std::uint64_t address = a.address[first_lane(a.active)];
    if (range.holds(address, a.bytes) && (range.full || range.patience-- != 0)) return range;
    range = {};
    if (const auto allocation = memory_.find(address)) {
      range = {allocation->address, allocation->bytes, memory_.fully_initialized(*allocation), kPatience};
    }
    return range;
  }

  /// Whole-array form without early exit, so that the compiler makes vector code of it.
  static bool all_inside(const WarpAccess& a, const KnownRange& range) {
    const std::uint64_t last = range.bytes - a.bytes;
    if (a.active == ~0u) {
      bool outside = false;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) outside |= a.address[lane] - range.first > last;
      return !outside;
    }
    for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
      if (a.address[first_lane(lanes)] - range.first > last) return false;
    }
    return true;
  }

  void report(const WarpAccess& a, LaneMask bad, Verdict verdict) {
    Sighting s;
    s.verdict = verdict;
    s.at.instruction = a.instruction;
    s.at.thread = {block_, first_thread(a.warp, bad)};
    s.at.access = a.kind;
    s.space = a.space;
    s.address = a.address[first_lane(bad)];
    s.bytes = a.bytes;
    s.count = count_lanes(bad);
    log_.add(s);
  }

  LaunchLog& log_;
  GlobalMemory& memory_;
  InitBits bits_;
  std::uint32_t shared_bytes_;
  std::uint64_t block_ = 0;
  SharedInit shared_;
  std::uint64_t generation_ = 0;
  std::array<KnownRange, kRanges> ranges_;
};

}  // namespace

struct InitializedChecker::State {
  explicit State(GlobalMemory& device_memory) : memory(device_memory) {}
  GlobalMemory& memory;
  LaunchLog log;
  std::uint32_t shared_bytes = 0;
};

InitializedChecker::InitializedChecker(GlobalMemory& memory) : state_(std::make_unique<State>(memory)) {}
InitializedChecker::~InitializedChecker() = default;

void InitializedChecker::launch_begin(const LaunchInfo& launch) {
  state_->log.begin(launch.config);
  state_->shared_bytes = launch.shared_bytes;
}

std::unique_ptr<BlockObserver> InitializedChecker::observe_block() {
  return std::make_unique<InitializedBlockObserver>(state_->log, state_->memory, state_->shared_bytes);
}

std::vector<Finding> InitializedChecker::findings(const LaunchNames& names) const {
  return state_->log.findings(names);
}

}  // namespace cudalabs::vgpu
