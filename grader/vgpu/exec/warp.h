// The state of a running launch: warps with their diverged splits, blocks with their barriers, workers with their
// caches.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "vgpu/exec/launcher.h"
#include "vgpu/exec/load_runs.h"
#include "vgpu/exec/micro_op.h"
#include "vgpu/exec/observer.h"
#include "vgpu/exec/processor_time.h"
#include "vgpu/memory/address_space.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {
class Program;
struct KernelInfo;
}  // namespace cudalabs::vgpu

namespace cudalabs::vgpu::exec {

struct BlockBulkCopies;
class LateStores;
class LateStoresOfLaunch;
struct Block;
struct Cluster;
struct Worker;
struct Launch;

constexpr std::uint32_t kBarriers = 16;
/// What a volatile or atomic access takes from a warp's budget: code that talks to other threads gets short turns, so
/// that a wait for another thread soon yields to it.
constexpr std::int64_t kStrongAccessCost = 32768;
constexpr std::int64_t kTurn = 65536;  // a warp's budget, in instructions
constexpr std::int64_t kShortTurn = 1;
constexpr std::uint64_t kNeverWake = std::numeric_limits<std::uint64_t>::max();

/// Host memory for register frames and the like: aligned for whole vectors.
struct AlignedDelete {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t{64}); }
};
using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;
AlignedBytes aligned_bytes(std::size_t count);

/// What `alloca` has given to each lane behind the local variables of an activation.
struct LocalStack {
  std::array<std::uint32_t, kWarpSize> bytes{};
  std::uint32_t most = 0;  // of any lane
};

/// One activation of a function by the lanes that entered it together.
struct Frame {
  const FunctionCode* code = nullptr;
  Frame* caller = nullptr;
  const CallSite* site = nullptr;   // in the caller
  const Segment* resume = nullptr;  // in the caller
  LaneMask inside = 0;              // lanes that have not returned
  std::uint32_t depth = 0;
  std::uint32_t local_base = 0;       // first byte of its local variables, per thread
  std::unique_ptr<LocalStack> stack;  // null: nothing was allocated
  AlignedBytes memory;
  std::byte* registers() const { return memory.get(); }
  /// Where its local memory ends, per thread.
  std::uint32_t local_end() const { return local_base + code->local_bytes + (stack != nullptr ? stack->most : 0); }
};

enum class SplitState : std::uint8_t {
  ready,
  deferred,    // ready, but others go first for a while
  at_barrier,  // waits for the block
  at_cluster,  // waits for the cluster
  at_sync      // waits for lanes of its warp
};

/// Lanes of a warp that are at the same place.
struct Split {
  LaneMask mask = 0;
  SplitState state = SplitState::ready;
  const Segment* at = nullptr;  // where it goes on
  Frame* frame = nullptr;
  const MicroOp* waits_in = nullptr;  // at_barrier, at_cluster, at_sync: the instruction
  LaneMask awaited = 0;               // at_sync: lanes that must come
  LaneMask ended = 0;                 // at_sync: those of them that end instead of coming
  LaneMask past = 0;                  // at_sync: those that do something else before, and cannot come any more
  std::uint32_t past_at = 0;          // the instruction where the first of these were
  std::uint32_t barrier = 0;          // at_barrier
};

/// Why a handler gave the warp back.
enum class Stop : std::uint8_t { suspended, exited, barrier, waiting, failed };

struct Count {
  std::uint64_t executed = 0;
  std::uint64_t lanes = 0;
};

/// A cp.async of some lanes that has not been waited for.
struct PendingCopy {
  const MicroOp* op = nullptr;
  LaneMask lanes = 0;
  std::uint64_t to[kWarpSize] = {};           // offsets in shared memory
  std::uint64_t from[kWarpSize] = {};         // generic addresses
  std::uint8_t source_bytes[kWarpSize] = {};  // read from there, the rest is zeros
  std::uint32_t group[kWarpSize] = {};        // number of the commit group it belongs to
};

/// Lanes that have looked at a barrier in memory, and must look again.
struct FailedLook {
  const MicroOp* op = nullptr;
  LaneMask lanes = 0;
  std::uint64_t offset = 0;  // in the block's shared memory
  std::uint64_t word = 0;    // that they saw there
};

struct Warp {
  // What handlers touch all the time comes first.
  std::int64_t budget = 0;              // instructions until it must give others a turn
  std::uint64_t wake_key = kNeverWake;  // a segment with this key or a later one is where other lanes may be waiting
  std::uint64_t depth_key = 0;          // upper half of the keys of segments in the running frame
  Count* counts = nullptr;
  Frame* frame = nullptr;
  Block* block = nullptr;
  Worker* worker = nullptr;

  // Why the last handler stopped, and where the running lanes go on.
  Stop stop = Stop::suspended;
  LaneMask running = 0;
  const Segment* at = nullptr;
  const MicroOp* stopped_in = nullptr;

  LaneMask unguarded = 0;   // the lanes that go on after a guarded operation
  std::uint32_t index = 0;  // in the block
  LaneMask members = 0;     // lanes that are threads of the block
  LaneMask exited = 0;
  /// Of the cluster's barrier: lanes that have arrived in the phase that goes on, and those that may pass since one
  /// that is over, and have not waited yet.
  LaneMask cluster_arrived = 0, cluster_open = 0;
  std::vector<Split> splits;  // all lanes that have not exited, when the warp is not running
  std::vector<PendingCopy> copies;
  std::array<std::uint32_t, kWarpSize> open_group{};  // by lane: number of the cp.async group being filled
  std::int64_t strong_accesses = 0;                   // in this turn: hints at spinning
  std::int64_t looks = 0;                             // of these, looks at barriers in memory
  bool talked = false;                                // in its last turn, to other threads by strong accesses
  bool spoke = false;                                 // likewise, and not only by such looks
  std::vector<FailedLook> failed_looks;
  std::int64_t turn = kTurn;  // the budget that it gets
  Frame* kernel_frame = nullptr;
  bool runnable = true;  // some lanes do not wait for the block
  bool done() const { return exited == members; }

  AlignedBytes local;                                         // interleaved: word w of lane l is at (w * 32 + l) * 4
  std::uint32_t local_bytes = 0;                              // per thread
  alignas(64) std::uint32_t thread_index[3][kWarpSize] = {};  // %tid
};

/// A block-wide barrier in progress.
struct Barrier {
  std::uint32_t expected = 0;  // threads; 0: all that have not exited
  std::uint32_t arrived = 0;   // threads, those that do not wait included
  bool in_use = false;
  std::uint32_t reduced_count = 0;  // bar.red: predicates that were true
  std::uint32_t reduced_total = 0;  // bar.red: predicates given
};

/// How memory instructions find their bytes: per worker and instruction, the last range that was hit.
struct MemorySite {
  std::uint64_t low = 0;      // generic or space-relative address of the range
  std::uint64_t span = 0;     // bytes; 0: nothing known yet
  std::byte* base = nullptr;  // host address of `low`; shared memory: not used, the block's own is
  MemorySpace space = MemorySpace::global;
  bool read_only = false;
  bool fully_initialized = false;
};

struct Block {
  Worker* worker = nullptr;
  std::uint64_t number = 0;  // linear
  Index3 index{};            // %ctaid
  std::uint32_t rank = 0;    // in its cluster
  /// Null where blocks have nothing to do with each other: no clusters, or none that its kernel knows of.
  Cluster* cluster = nullptr;
  std::uint32_t threads = 0;
  std::uint32_t exited_threads = 0;
  std::uint64_t instructions = 0;  // executed by its warps
  /// Of time as the block sees it, what loops have skipped that only wait for it, and what the next round skips.
  std::uint64_t skipped_ticks = 0, next_skip = 0;
  std::uint64_t draws = 0;           // of work, by its warps: a counter of the grid that went on, and was looked at
  std::uint32_t rounds = 0;          // in a row, in which all warps only took full turns
  std::uint32_t rounds_in_vain = 0;  // in a row, in which all warps only looked at barriers in memory
  std::byte* shared = nullptr;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<Warp*> turns;           // the same, in the order in which they take turns
  LaneMask first_lanes = kAllLanes;   // of a warp, these go on up to where they wait before the others do
  bool early_copies = false;          // cp.async copies when it is issued
  bool short_turns = false;           // of some warps
  std::uint64_t phase = 0;            // barriers that have completed
  bool phase_begins = false;          // a disorder is to be drawn
  LateStores* late_stores = nullptr;  // among the observers, in launches with a disorder
  std::array<Barrier, kBarriers> barriers{};
  std::vector<std::unique_ptr<BlockObserver>> observers;
  std::vector<BlockObserver*> bulk_observers;  // those of them that want the accesses of copies in bulk
  std::shared_ptr<BlockBulkCopies> bulk;       // null: it has begun none, and none has come to it
  std::vector<BlockObserver*> access_observers, warp_sync_observers, count_observers;
  bool watched = false;  // an observer wants accesses
  bool wants_current_values = false;
  LoadRuns load_runs;
  std::vector<Count> counts;  // by counter; warps of the block add to it
  std::string output;         // printf and assert
  AlignedBytes shared_memory;
  LaunchError error = LaunchError::none;
  std::uint32_t error_instruction = 0;
  bool endless = false;  // that is one which is never left
  std::optional<FailedAssertion> assertion;
  std::map<std::uint64_t, DeviceLaunch> prepared;        // by the address of the parameters: not yet launched
  std::vector<DeviceLaunch> launches;                    // that its threads have asked for
  std::map<std::uint32_t, std::int32_t> runtime_errors;  // by thread: the last one, of the runtime in device code
  bool failed = false;                                   // the launch ends here
};

/// What one OS thread keeps for itself during a launch.
struct Worker {
  explicit Worker(std::optional<ProcessorTimeLimit::Duration> limit) : processor_time(limit) {}

  Launch* launch = nullptr;
  GlobalMemory* memory = nullptr;
  std::vector<MemorySite> sites;  // by memory instruction
  std::vector<GlobalMemory::Range> ranges;
  std::uint64_t ranges_generation = 0;
  std::vector<std::unique_ptr<Frame>> frames;     // all it ever made
  std::vector<std::vector<Frame*>> spare_frames;  // those not in use, by function of the kernel
  alignas(64) std::uint64_t addresses[kWarpSize] = {};
  alignas(64) std::uint64_t offsets[kWarpSize] = {};
  alignas(64) std::byte values[kWarpSize * 16] = {};
  alignas(64) std::byte current[kWarpSize * 16] = {};
  ProcessorTimeLimit processor_time;
};

/// Shared by all workers of a launch.
struct Launch {
  const Program* program = nullptr;
  const KernelCode* code = nullptr;
  std::uint32_t first_instruction = 0;  // of the kernel
  LaunchConfig config;
  GlobalMemory* memory = nullptr;
  std::span<const std::byte> parameters;
  std::uint32_t shared_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  bool concurrent = false;
  std::uint32_t multiprocessors = 1;
  std::uint64_t instruction_limit = 0;                         // per block; 0: none
  const std::set<std::uint32_t>* never_left = nullptr;         // as in LaunchRequest
  std::optional<ProcessorTimeLimit::Duration> processor_time;  // each worker may compute
  const std::atomic<bool>* interrupted = nullptr;
  std::uint64_t heap_bytes = 0;  // what malloc may still give; only one thread runs kernels that allocate
  const ImageTable* images = nullptr;
  std::uint64_t grid_number = 0;                                           // %gridid
  std::uint32_t depth = 0;                                                 // of launches by kernels
  std::function<bool(const KernelInfo&, const LaunchConfig&)> can_launch;  // of those; empty: yes
  InactiveLaneValue inactive_lane;
  std::uint32_t shared_begins_with = 0xFFFF'FFFF;
  std::uint64_t grid_workspace = 0;           // address of the cooperative launch's memory; 0: the launch is none
  LateStoresOfLaunch* late_stores = nullptr;  // null: threads get on in the usual order
  std::atomic<std::uint64_t> refused{0};      // accesses of single lanes that memory did not allow

  bool is_interrupted() const { return interrupted != nullptr && interrupted->load(std::memory_order_relaxed); }
};

}  // namespace cudalabs::vgpu::exec
