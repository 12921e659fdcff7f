// Every load and atomic asks which bytes were written: SharedInit in shared memory, memory's own bits in global memory.
#include "vgpu/check/initialized_checker.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "vgpu/check/launch_log.h"
#include "vgpu/check/row_pitch.h"
#include "vgpu/check/shadow_kernels.h"
#include "vgpu/check/shared_init.h"
#include "vgpu/check/unwritten_reads.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {

namespace {

/// What is known of the allocation an instruction used last. Looking an allocation up locks, so it must be rare.
struct KnownRange {
  std::uint64_t first = 1;  // device address; the default holds nothing
  std::uint64_t bytes = 0;
  bool full = false;                // every byte is written, and stays so
  std::uint32_t accesses_left = 0;  // accesses until a range that was not full is looked at again

  bool holds(std::uint64_t address, std::uint32_t count) const {
    return address - first < bytes && bytes - (address - first) >= count;
  }
};

class InitializedBlockObserver;
/// The blocks that run, by number, in launches of clusters.
using BlocksOfClusters = std::map<std::uint64_t, InitializedBlockObserver*>;

class InitializedBlockObserver : public BlockObserver {
 public:
  InitializedBlockObserver(LaunchLog& log, UnwrittenReads& unwritten, const GlobalMemory& memory,
                           const InitializedChecker::Reads& reads, std::uint32_t shared_bytes,
                           BlocksOfClusters& of_clusters)
      : log_(log),
        unwritten_(unwritten),
        memory_(memory),
        reads_(reads),
        bits_(memory.initialized()),
        shared_bytes_(shared_bytes),
        of_clusters_(of_clusters),
        shared_(kernels_) {}

  Interests interests() const override {
    return {.current_values = false, .warp_syncs = false, .counts = false, .load_runs = true};
  }

  void block_begin(const BlockInfo& block) override {
    block_ = block.index;
    of_cluster_ = block.cluster_blocks > 1;
    if (of_cluster_) of_clusters_[block_] = this;
    shared_.reset(shared_bytes_);
    pitches_left_ = kPitches;
    waits_.assign(waits_.empty() ? 0 : block.threads, {});
  }

  void block_end(std::span<const InstructionCount>) override {
    if (of_cluster_) of_clusters_.erase(block_);
  }

  void store_begins(const WarpAccess& a) override {
    if (a.space != MemorySpace::shared) return;
    for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
      const std::uint32_t lane = first_lane(lanes), thread = a.warp * kWarpSize + lane;
      shared_.begin(a.address[lane], a.bytes, {a.instruction, thread, a.copy != 0, waits_of(thread).committed});
    }
  }

  void copies_committed(std::uint32_t warp, LaneMask lanes) override {
    for (; lanes != 0; lanes &= lanes - 1) ++waits_of(warp * kWarpSize + first_lane(lanes)).committed;
  }

  void copies_waited(std::uint32_t warp, LaneMask lanes, std::uint32_t instruction, std::uint32_t left) override {
    for (; lanes != 0; lanes &= lanes - 1) {
      CopyWaits& waits = waits_of(warp * kWarpSize + first_lane(lanes));
      waits.last = instruction;
      waits.left = left;
      waits.at = waits.committed;
    }
  }

  void access(const WarpAccess& a) override {
    if (a.space == MemorySpace::shared) {
      if (!shared_.all_written()) shared_access(a, shared_);
    } else if (a.space == MemorySpace::global) {
      if (a.kind != AccessKind::store) global_access(a);
    } else if (a.space == MemorySpace::cluster) {
      SharedInit& others = of_clusters_.at(a.owner)->shared_;
      if (!others.all_written()) shared_access(a, others);
    }
  }

  void load_run(const LoadRun& run) override {
    if (run.first.space == MemorySpace::shared ? shared_.all_written() : is_within_full_range(run)) return;
    run.visit(0, run.count, [this](const WarpAccess& load) { access(load); });
  }

 private:
  static constexpr std::size_t kRanges = 64;
  static constexpr std::uint32_t kLooksBetween = 256;
  static constexpr std::uint32_t kPitches = 8;  // reads of a block whose rows are looked at

  /// Of a thread of the block. Most kernels have no such copies.
  CopyWaits& waits_of(std::uint32_t thread) {
    if (thread >= waits_.size()) waits_.resize(thread + 1);
    return waits_[thread];
  }

  /// `shared`: the memory of the block that owns it.
  void shared_access(const WarpAccess& a, SharedInit& shared) {
    if (shared.written(a)) return;
    LaneMask bad = 0;
    if (a.kind != AccessKind::store) {
      for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
        const std::uint32_t lane = first_lane(lanes);
        if (!shared.written(a.address[lane], a.bytes)) bad |= 1u << lane;
      }
    }
    if (bad != 0) {
      bad = without_padding(a, bad, [&](std::uint64_t at, std::uint32_t n) { return shared.any_written(at, n); });
    }
    if (a.kind != AccessKind::load) {
      for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1)
        shared.mark(a.address[first_lane(lanes)], a.bytes);
    }
    if (bad != 0) report(a, bad, Verdict::uninitialized_shared);
  }

  void global_access(const WarpAccess& a) {
    KnownRange& range = range_of(a);
    if (range.full && all_inside(a, range)) return;
    LaneMask bad = 0;
    for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
      const std::uint32_t lane = first_lane(lanes);
      if (!bits_.test(a.address[lane] - kGlobalBase, a.bytes)) bad |= 1u << lane;
    }
    if (bad != 0) {
      bad = without_padding(a, bad,
                            [this](std::uint64_t at, std::uint32_t n) { return bits_.test_any(at - kGlobalBase, n); });
    }
    if (bad != 0) report(a, bad, Verdict::uninitialized_global);
  }

  /// All lie between the first load and the last one.
  bool is_within_full_range(const LoadRun& run) {
    const KnownRange& range = range_of(run.first);
    if (!range.full || !all_inside(run.first, range)) return false;
    bool inside = false;
    run.visit(run.count - 1, run.count, [&](const WarpAccess& last) { inside = all_inside(last, range); });
    const auto advance = static_cast<std::int64_t>(run.advance);
    const std::uint64_t distance = advance < 0 ? -run.advance : run.advance;
    return inside && distance <= range.bytes / run.count;
  }

  KnownRange& range_of(const WarpAccess& a) {
    if (const auto now = memory_.generation(); now != generation_) {
      ranges_.fill({});
      generation_ = now;
    }
    KnownRange& range = ranges_[a.instruction % kRanges];
    const std::uint64_t address = a.address[first_lane(a.active)];
    if (range.holds(address, a.bytes) && (range.full || range.accesses_left-- != 0)) return range;
    range = {};
    if (const auto allocation = memory_.find(address)) {
      range = {allocation->address, allocation->bytes, memory_.fully_initialized(*allocation), kLooksBetween};
    }
    return range;
  }

  bool all_inside(const WarpAccess& a, const KnownRange& range) const {
    const std::uint64_t last = range.first + range.bytes - a.bytes;
    if (a.active == ~0u) return kernels_.all_inside(a.address, range.first, last);
    for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
      if (a.address[first_lane(lanes)] - range.first > last - range.first) return false;
    }
    return true;
  }

  void unset_read(std::uint32_t warp, LaneMask lanes, std::uint32_t instruction) override {
    Sighting s;
    s.verdict = Verdict::uninitialized_register;
    s.at.instruction = instruction;
    s.at.thread = {block_, first_thread(warp, lanes)};
    s.count = count_lanes(lanes);
    log_.add(s);
  }

  /// Of lanes that read bytes that nobody has written, those of which these cannot be padding.
  template <class AnyWritten>
  LaneMask without_padding(const WarpAccess& a, LaneMask bad, const AnyWritten& any_written) const {
    const auto copy = reads_.object_copies.find(a.instruction);
    if (copy == reads_.object_copies.end()) return bad;
    const std::uint32_t unit = copy->second;
    LaneMask result = 0;
    for (; bad != 0; bad &= bad - 1) {
      const std::uint64_t address = a.address[first_lane(bad)], end = address + a.bytes;
      for (std::uint64_t at = address / unit * unit; at < end; at += unit)
        if (!any_written(at, unit)) result |= 1u << first_lane(bad);
    }
    return result;
  }

  void report(const WarpAccess& a, LaneMask bad, Verdict verdict) {
    if (a.kind == AccessKind::atomic && reads_.pure_exchanges.contains(a.instruction)) return;
    Sighting s;
    s.verdict = verdict;
    s.at.instruction = a.instruction;
    s.at.thread = {block_, first_thread(a.warp, bad)};
    s.at.access = a.kind;
    s.space = a.space == MemorySpace::cluster ? MemorySpace::shared : a.space;
    if (a.space == MemorySpace::cluster) s.owner = a.owner;
    s.address = a.address[first_lane(bad)];
    s.bytes = a.bytes;
    s.count = count_lanes(bad);
    for (LaneMask lanes = bad; lanes != 0; lanes &= lanes - 1)
      s.end = std::max(s.end, a.address[first_lane(lanes)] + a.bytes);
    if (a.space == MemorySpace::shared) {
      if (pitches_left_ != 0) {
        --pitches_left_;
        s.pitches = different_pitches(a, s.address, log_.config().block, shared_.bytes());
      }
      if (const auto copy = shared_.begun(s.address, s.bytes)) {
        s.other.emplace();
        s.other->instruction = copy->instruction;
        s.other->access = AccessKind::store;
        s.other->thread = {block_, copy->thread};
        s.other->copies = copy->in_bulk;
        if (!copy->in_bulk) s.pending = waits_of(copy->thread).pending(*copy);
        for (LaneMask lanes = bad; lanes != 0; lanes &= lanes - 1) {
          const std::uint32_t lane = first_lane(lanes);
          const auto other = shared_.begun(a.address[lane], a.bytes);
          s.reads_of_others |= other && other->thread != a.warp * kWarpSize + lane;
        }
      }
    }
    if (a.kind == AccessKind::atomic) {
      unwritten_.add_atomic();
    } else if (verdict == Verdict::uninitialized_global) {
      unwritten_.add_global(a, bad);
    } else if (!s.other) {
      unwritten_.add_shared();
    }
    log_.add(s);
  }

  LaunchLog& log_;
  UnwrittenReads& unwritten_;
  const GlobalMemory& memory_;
  const InitializedChecker::Reads& reads_;
  InitBits bits_;
  std::uint32_t shared_bytes_;
  BlocksOfClusters& of_clusters_;
  bool of_cluster_ = false;
  const ShadowKernels& kernels_ = shadow_kernels();
  std::uint64_t block_ = 0;
  std::uint32_t pitches_left_ = 0;
  SharedInit shared_;
  std::vector<CopyWaits> waits_;  // by thread; empty before the first copy
  std::uint64_t generation_ = 0;
  std::array<KnownRange, kRanges> ranges_;
};

}  // namespace

struct InitializedChecker::State {
  State(const GlobalMemory& device_memory, Reads of_text) : memory(device_memory), reads(std::move(of_text)) {}
  const GlobalMemory& memory;
  const Reads reads;
  LaunchLog log;
  UnwrittenReads unwritten;
  std::uint32_t shared_bytes = 0;
  BlocksOfClusters of_clusters;
};

InitializedChecker::InitializedChecker(const GlobalMemory& memory, Reads reads)
    : state_(std::make_unique<State>(memory, std::move(reads))) {}
InitializedChecker::~InitializedChecker() = default;

void InitializedChecker::launch_begin(const LaunchInfo& launch) {
  state_->log.begin(launch.config);
  state_->unwritten.begin();
  state_->shared_bytes = launch.shared_bytes;
}

std::unique_ptr<BlockObserver> InitializedChecker::observe_block() {
  return std::make_unique<InitializedBlockObserver>(state_->log, state_->unwritten, state_->memory, state_->reads,
                                                    state_->shared_bytes, state_->of_clusters);
}

bool InitializedChecker::has_unwritten_reads() const {
  return state_->unwritten.any();
}

std::optional<std::set<std::uint64_t>> InitializedChecker::unwritten_pages() const {
  return state_->unwritten.pages();
}

void InitializedChecker::unwritten_reads_are_harmless() {
  state_->log.unwritten_reads_are_harmless();
}

std::vector<Finding> InitializedChecker::findings(const LaunchNames& names) const {
  return state_->log.findings(names);
}

}  // namespace cudalabs::vgpu
