// What the interpreter tells those who watch: launches, blocks, accesses, barriers, warp synchronisation, fences.
//
// One Observer lives for one launch and is shared by all worker threads; it hands out one BlockObserver for every block
// being executed at a time (reused for the next block after block_end). A BlockObserver is only ever called by the
// thread that executes its block, so it needs no locks for its own state. Memory tells observers of an access before it
// is performed, and of a violation before it refuses the access.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "vgpu/finding.h"
#include "vgpu/memory/tensor_map.h"

namespace cudalabs::vgpu {

class Program;       // exec/program.h: decoded instructions of a module
struct KernelInfo;   // exec/program.h
struct DeviceModel;  // model/device_model.h

constexpr std::uint32_t kWarpSize = 32;
using LaneMask = std::uint32_t;

struct LaunchConfig {
  Index3 grid{1, 1, 1};
  Index3 block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;       // all blocks run at the same time and may wait for each other
  Index3 cluster{1, 1, 1};        // blocks of a cluster; of a launch that is executed, divisors of the grid's extents
  bool explicit_cluster = false;  // the kernel or the launch says so

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
  std::uint32_t blocks_per_cluster() const { return cluster[0] * cluster[1] * cluster[2]; }
  std::uint64_t clusters() const { return blocks() / blocks_per_cluster(); }
  Index3 grid_of_clusters() const { return {grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]}; }
};

/// The coordinates of an x-fastest linear index; the only place where indices are converted.
constexpr Index3 coordinates(std::uint64_t index, Index3 extent) {
  return {static_cast<std::uint32_t>(index % extent[0]), static_cast<std::uint32_t>(index / extent[0] % extent[1]),
          static_cast<std::uint32_t>(index / extent[0] / extent[1])};
}

/// The linear index, x-fastest, of what stands at these coordinates.
constexpr std::uint64_t linear_index(Index3 at, Index3 extent) {
  return at[0] + std::uint64_t{extent[0]} * (at[1] + std::uint64_t{extent[1]} * at[2]);
}

/// The number of the cluster that a block belongs to, and the block's rank there. Without clusters each block is one.
struct PlaceInCluster {
  std::uint64_t cluster = 0;
  std::uint32_t rank = 0;
};
inline PlaceInCluster place_in_cluster(std::uint64_t block, const LaunchConfig& config) {
  const Index3 at = coordinates(block, config.grid);
  Index3 cluster{}, within{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cluster[axis] = at[axis] / config.cluster[axis];
    within[axis] = at[axis] % config.cluster[axis];
  }
  return {linear_index(cluster, config.grid_of_clusters()),
          static_cast<std::uint32_t>(linear_index(within, config.cluster))};
}
/// The linear index of a cluster's block.
inline std::uint64_t block_of_cluster(PlaceInCluster place, const LaunchConfig& config) {
  Index3 at = coordinates(place.cluster, config.grid_of_clusters());
  const Index3 within = coordinates(place.rank, config.cluster);
  for (std::size_t axis = 0; axis < 3; ++axis) at[axis] = at[axis] * config.cluster[axis] + within[axis];
  return linear_index(at, config.grid);
}

struct LaunchInfo {
  const Program* program = nullptr;
  const KernelInfo* kernel = nullptr;
  LaunchConfig config;
  std::uint32_t shared_bytes = 0;     // static + dynamic, per block
  std::uint64_t executed_blocks = 0;  // of config.blocks(): all of them, or a sample
  bool concurrent = false;            // blocks run on several threads at once
};

struct BlockInfo {
  std::uint64_t index = 0;  // linear block index
  std::uint32_t threads = 0;
  std::uint64_t cluster = 0;         // the number of the block's cluster
  std::uint32_t cluster_blocks = 1;  // of that
};

/// `cluster`: the shared memory of another block of the cluster.
enum class MemorySpace : std::uint8_t { global, shared, local, constant, cluster };
enum class AccessKind : std::uint8_t { load, store, atomic };
/// `weak` accesses may race; all others are morally strong at `scope` (PTX memory consistency model).
enum class MemoryOrder : std::uint8_t { weak, relaxed, acquire, release, acq_rel };
enum class MemoryScope : std::uint8_t { block, cluster, device, system };

/// One memory instruction of one warp (of the lanes that execute it together).
struct WarpAccess {
  std::uint32_t warp = 0;         // index in the block; lane l is thread warp * 32 + l
  std::uint32_t instruction = 0;  // index for Program::location() and friends
  AccessKind kind = AccessKind::load;
  MemorySpace space = MemorySpace::global;
  MemoryOrder order = MemoryOrder::weak;
  MemoryScope scope = MemoryScope::block;
  std::uint8_t bytes = 4;  // per lane: 1, 2, 4, 8 or 16; contiguous from the lane's address
  LaneMask active = 0;     // lanes that access memory; every one is in bounds and aligned
  const std::uint64_t* address =
      nullptr;               // [32]; global: device address; shared, cluster: byte offset in the owner's shared memory
  std::uint64_t owner = 0;   // cluster: the block whose shared memory it is
  bool consecutive = false;  // all 32 lanes active and lane l accesses address[0] + l * bytes
  const std::byte* stored = nullptr;  // stores: kWarpSize values of `bytes` bytes each, lane by lane; else null
  std::uint32_t copy = 0;             // not 0: the bulk copy of this number makes it, which the lane has begun
  const std::byte* current =
      nullptr;  // stores and atomics: what memory holds now, same layout (for equal-value writes); may be null
};

/// A copy in bulk (`cp.async.bulk`) begins: it goes on while its thread does. Its accesses are told with its number
/// when they are made, which is as late as the program allows.
struct BulkBegin {
  std::uint32_t copy = 0;  // 1, 2, … of the block
  std::uint32_t warp = 0, lane = 0;
  std::uint32_t instruction = 0;
};

/// A copy in bulk is done, and has told a barrier in memory so.
struct BulkDone {
  std::uint32_t copy = 0;
  std::uint64_t owner = 0;   // the block whose barrier it is
  std::uint64_t offset = 0;  // of the barrier, in that block's shared memory
};

/// The block ends while a copy in bulk still uses its shared memory, as far as its threads know.
struct BulkUnfinished {
  std::uint32_t copy = 0;
  std::uint32_t warp = 0, lane = 0;
  std::uint32_t instruction = 0;
  bool reads = false;        // the block's shared memory; else it writes there
  std::uint64_t offset = 0;  // in that
  std::uint64_t bytes = 0;
};

/// Loads that a warp makes one after the other by one instruction, as in a loop: of all 32 lanes, each half-warp of a
/// row of elements or of one element, and from each load to the next all addresses advance by the same distance.
struct LoadRun {
  WarpAccess first;
  bool rows = false;  // lane l of a half-warp loads from the half's first address + l * bytes; else all from that
  std::uint64_t advance = 0;  // modulo 2^64
  std::uint32_t count = 1;

  /// Calls `visit(load)` for those from number `begin` on, up to `end`.
  template <class Visit>
  void visit(std::uint32_t begin, std::uint32_t end, Visit visit) const {
    std::uint64_t address[kWarpSize];
    WarpAccess load = first;
    load.address = address;
    for (std::uint32_t i = begin; i < end; ++i) {
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = first.address[lane] + i * advance;
      visit(std::as_const(load));
    }
  }
};

enum class ViolationKind : std::uint8_t {
  global_out_of_bounds,
  shared_out_of_bounds,
  local_out_of_bounds,
  constant_out_of_bounds,
  misaligned,
  host_pointer,
  null_pointer,
  use_after_free,
  write_to_constant,
  missing_block,  // shared memory of a rank that the cluster does not have
  ended_block,    // shared memory of a block that has ended
  bulk_size,      // `bytes` of the access: a bulk copy takes multiples of 16
  tensor_map      // a copy of a tensor has no map that it could go by
};

/// Why a copy cannot go by its tensor map.
enum class TensorFault : std::uint8_t {
  none,
  not_encoded,
  of_threads,  // it lies in local or shared memory
  rank,        // the instruction is for another number of dimensions
  reduction    // which the elements' type does not have
};

/// An access memory refuses, for each lane in `lanes`. The load yields zero, the store is dropped, the launch goes on
/// so that all findings are collected, up to a number of them, and ends with an error status.
struct Violation {
  ViolationKind kind = ViolationKind::global_out_of_bounds;
  AccessKind access = AccessKind::load;
  MemorySpace space = MemorySpace::global;
  std::uint32_t warp = 0;
  std::uint32_t instruction = 0;
  std::uint32_t bytes = 4;
  LaneMask lanes = 0;
  const std::uint64_t* address = nullptr;   // [32]
  std::optional<std::uint32_t> call = {};   // the instruction of the kernel whose call led there; none: its own code
  std::optional<std::uint64_t> owner = {};  // the block whose shared memory was meant, where it is not the own
  std::uint32_t rank = 0;                   // missing_block: the one that was asked for
  const TensorMap* tensor = nullptr;        // that a copy goes by which makes the access
  TensorFault tensor_fault = TensorFault::none;
  std::uint32_t dimensions = 0;  // tensor_map: of the instruction
};

/// Lanes of `warp` arrive at a block barrier. `arrive_only`: bar.arrive, they do not wait.
struct BarrierArrival {
  std::uint32_t warp = 0;
  std::uint32_t instruction = 0;
  std::uint32_t barrier = 0;  // 0..15
  LaneMask lanes = 0;
  bool arrive_only = false;
  std::optional<std::uint32_t> call = {};  // the instruction of the kernel whose call led there; none: its own code
};

/// A block barrier completes: every participant was told by barrier_arrive before. `exited`: threads of the block that
/// had exited when it completed without them (0 for a clean barrier over the whole block).
struct BarrierCompletion {
  std::uint32_t barrier = 0;
  std::uint32_t participants = 0;  // threads
  std::uint32_t exited = 0;        // threads
  bool whole_block = true;         // no explicit thread count in the instruction
};

/// In Deadlock: lanes wait for other lanes of their warp (`*.sync` with a member mask), not for the block.
constexpr std::uint32_t kBarrierOfWarp = 16;
/// In Deadlock: they wait for the threads of the cluster.
constexpr std::uint32_t kBarrierOfCluster = 17;
/// In Deadlock: they look at a barrier in memory (`mbarrier`), again and again.
constexpr std::uint32_t kBarrierInMemory = 18;

/// A barrier in the shared memory of a block, in a phase that does not end.
struct BarrierInMemory {
  std::uint64_t offset = 0;
  std::uint32_t expected = 0, missing = 0;  // arrivals: of a phase, and that are still to come
  std::int64_t bytes = 0;  // that copies are still to bring; negative: more have come than were announced
  auto operator<=>(const BarrierInMemory&) const = default;
};

/// Lanes come to the barrier of their cluster and go on (`barrier.cluster.arrive`).
struct ClusterArrival {
  std::uint32_t warp = 0;
  std::uint32_t instruction = 0;
  LaneMask lanes = 0;
  bool releases = true;  // what they did before happens before what others do behind the barrier
  LaneMask again = 0;    // of them, those that had arrived already, and not waited since
};

/// Every thread of the cluster has arrived at its barrier, or has exited. Told to each of its blocks.
struct ClusterCompletion {
  std::uint64_t phase = 0;         // 1, 2, … for each cluster
  std::uint32_t exited = 0;        // threads that have exited without arriving
  std::uint64_t exited_block = 0;  // the first block, of those that run, that has such threads
};

/// Lanes of a kernel take a branch after which no barrier of the block comes any more, or no shuffle.
struct LeavingWay {
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  std::uint32_t branch = 0;  // the instruction
  std::optional<std::uint32_t>
      early_end;  // where it leads, if that only ends the kernel, and elsewhere than at its end
};

/// The block cannot go on: every thread that has not exited waits at a barrier that cannot complete. Where a cluster
/// cannot go on, this is told of each of its blocks.
struct Deadlock {
  struct Waiting {
    std::uint32_t warp;
    LaneMask lanes;
    std::uint32_t instruction;
    std::uint32_t barrier;
    std::optional<BarrierInMemory> in_memory = {};
    std::optional<std::uint32_t> call = {};  // the instruction of the kernel whose call led there; none: its own code
  };
  std::span<const Waiting> waiting;
};

/// The frequent events a block observer wants. Asked once, when it is made; what it does not want costs nothing. All
/// other events are always told.
struct Interests {
  bool accesses = true;
  bool current_values = true;  // WarpAccess::current of stores; null otherwise
  bool warp_syncs = true;
  bool counts = true;       // block_end gets counts; empty spans otherwise
  bool bulk_copies = true;  // accesses of copies in bulk, where it wants accesses
  bool load_runs = false;   // weak loads may be told by load_run(), and after loads of the warp that came later
};

/// Lanes that read, in a shuffle, lanes that do not execute it: they have exited, are elsewhere, or are not in the
/// block.
struct InactiveShuffle {
  std::uint32_t warp = 0;
  std::uint32_t instruction = 0;
  LaneMask readers = 0;
  std::uint32_t lane = 0;  // the one that the first reader reads
  LaneMask active = 0;     // those that execute it
};

struct MissedSync {
  std::uint32_t warp = 0;
  std::uint32_t instruction = 0;
  LaneMask lanes = 0;         // those that execute it
  LaneMask ended = 0;         // those that were named, and exited instead
  LaneMask past = 0;          // those that were named, and did something else instead
  std::uint32_t past_at = 0;  // an instruction that the first of these executed
};

/// How often an instruction was executed.
struct InstructionCount {
  std::uint32_t instruction = 0;
  std::uint64_t executed = 0;  // by warps
  std::uint64_t lanes = 0;     // active ones, summed over those executions
};

class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual Interests interests() const { return {}; }
  virtual void block_begin(const BlockInfo&) {}
  virtual void access(const WarpAccess&) {}
  /// In place of access(), where all observers of the block are interested in runs.
  virtual void load_run(const LoadRun& run) {
    run.visit(0, run.count, [this](const WarpAccess& load) { access(load); });
  }
  /// A copy that goes on while the lanes do (`cp.async`) may write from now on. `access` tells of the store itself when
  /// the copy is waited for.
  virtual void store_begins(const WarpAccess&) {}
  /// Lanes have put what they began to copy since the last time into a group (`cp.async.commit_group`).
  virtual void copies_committed(std::uint32_t /*warp*/, LaneMask) {}
  /// Lanes have waited until at most `left` of the groups that they committed last are pending; all ones: until nothing
  /// is. `access` has told of the stores before.
  virtual void copies_waited(std::uint32_t /*warp*/, LaneMask, std::uint32_t /*instruction*/, std::uint32_t /*left*/) {}
  virtual void bulk_begins(const BulkBegin&) {}
  virtual void bulk_done(const BulkDone&) {}
  /// The lane has waited for the copy's group; `only_reads`: until it has read its source.
  virtual void bulk_waited(std::uint32_t /*copy*/, std::uint32_t /*warp*/, std::uint32_t /*lane*/,
                           bool /*only_reads*/) {}
  virtual void bulk_unfinished(const BulkUnfinished&) {}
  /// Lanes order what they know of before copies in bulk that read shared memory (`fence.proxy.async`).
  virtual void proxy_fence(std::uint32_t /*warp*/, LaneMask) {}
  virtual void violation(const Violation&) {}
  virtual void barrier_arrive(const BarrierArrival&) {}
  virtual void barrier_complete(const BarrierCompletion&) {}
  virtual void cluster_arrive(const ClusterArrival&) {}
  virtual void cluster_complete(const ClusterCompletion&) {}
  /// Lanes go on behind the barrier of their cluster (`barrier.cluster.wait`).
  virtual void cluster_wait(std::uint32_t /*warp*/, LaneMask, std::uint32_t /*instruction*/) {}
  virtual void past_barriers(const LeavingWay&) {}
  virtual void past_shuffles(const LeavingWay&) {}
  virtual void deadlock(const Deadlock&) {}
  /// Lanes of one warp synchronise with memory ordering among them (`bar.warp.sync`, `*.sync` shuffles, votes,
  /// matches).
  virtual void warp_sync(std::uint32_t /*warp*/, LaneMask, std::uint32_t /*instruction*/) {}
  /// Lanes execute such an instruction with a member mask that does not name them, which is undefined. They take part
  /// all the same.
  virtual void outside_mask(std::uint32_t /*warp*/, LaneMask, std::uint32_t /*instruction*/) {}
  /// Lanes execute an instruction on matrices, and are not all 32 of the warp.
  virtual void missing_lanes(std::uint32_t /*warp*/, LaneMask, std::uint32_t /*instruction*/) {}
  /// Lanes have executed such an instruction without others that its member mask names.
  virtual void missed_sync(const MissedSync&) {}
  /// Lanes compute with a register that nothing has written.
  virtual void unset_read(std::uint32_t /*warp*/, LaneMask, std::uint32_t /*instruction*/) {}
  virtual void inactive_shuffle(const InactiveShuffle&) {}
  virtual void fence(std::uint32_t /*warp*/, LaneMask, MemoryScope) {}
  virtual void thread_exit(std::uint32_t /*warp*/, LaneMask) {}
  /// What was executed since the last block_end of this observer that had counts, each instruction once or in pieces.
  /// Empty when the counts come with a later block: summing after every small block would cost more than running it.
  /// The last block_end always has them.
  virtual void block_end(std::span<const InstructionCount>) {}
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void launch_begin(const LaunchInfo&) {}
  virtual std::unique_ptr<BlockObserver> observe_block() = 0;
  virtual void launch_end() {}
};

}  // namespace cudalabs::vgpu
