// Collects what the observers of one launch saw and makes findings of it, in words. The only place that writes
// messages.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/check/launch_names.h"
#include "vgpu/check/row_pitch.h"
#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// What was seen; decides id, severity and wording of the finding.
enum class Verdict : std::uint8_t {
  shared_race,
  shared_race_equal,     // all threads wrote the value that was already there
  shared_race_volatile,  // lanes of one warp rely on volatile instead of __syncwarp
  global_race_within_block,
  global_race_within_block_equal,
  global_race_within_block_volatile,
  global_race_between_blocks,
  global_race_between_blocks_equal,
  cluster_race,  // between blocks of a cluster, on the shared memory of one
  cluster_race_equal,
  cluster_block_not_begun,   // an access to shared memory of a block of which nothing says that it has begun
  cluster_block_ends_early,  // nothing says that the access comes before the end of the block whose memory it is
  barrier_sites_differ,      // threads of one block completed one barrier from two sites
  barrier_calls_differ,      // likewise, from two calls of the function that has the barrier
  barrier_missed_by_exited,  // some threads had exited
  barrier_deadlock,
  cluster_barrier_missed_by_exited,
  cluster_barrier_deadlock,
  cluster_arrived_twice,    // at the cluster's barrier, without having waited
  bulk_race,                // a copy in bulk, and an access or another copy
  bulk_unfenced,            // it reads what threads have stored, and no fence of the proxies is between the two
  bulk_unfinished,          // the block ends while it still uses the block's shared memory
  bulk_size,                // its size is no multiple of 16
  memory_barrier_deadlock,  // threads look at a barrier in memory whose phase does not end
  warp_deadlock,            // lanes wait for lanes of their warp
  missed_sync,              // lanes executed what lanes that their member mask names went past
  ended_before_sync,        // likewise, but these only exited
  outside_mask,             // lanes execute what their member mask does not name them for
  missing_lanes,            // an instruction on matrices without all lanes of the warp
  inactive_shuffle,         // lanes read lanes that do not execute the shuffle
  global_out_of_bounds,
  shared_out_of_bounds,
  local_out_of_bounds,
  constant_out_of_bounds,
  write_to_constant,
  input_overwritten,
  misaligned,
  host_pointer,
  null_pointer,
  use_after_free,
  tensor_map,             // a copy of a tensor has no map that it could go by
  cluster_block_missing,  // shared memory of a rank that the cluster does not have
  cluster_block_ended,    // shared memory of a block that has ended
  uninitialized_shared,
  uninitialized_global,
  uninitialized_register,
};

/// How a copy in bulk races.
enum class CopyRace : std::uint8_t {
  none,
  unordered,    // with an access that comes before it has begun, or after that
  after_begin,  // with an access that is known to come after it has begun
  two_copies
};

/// What makes a race of two accesses that both are volatile, atomic or otherwise strong, which by itself is none.
enum class StrongRace : std::uint8_t {
  none,          // one of the accesses is plain
  data_read,     // a strong read of what threads of another warp write, used as data
  counter_read,  // a strong read of a counter that the block has counted in before and other blocks count in
  lost_updates,  // a volatile write of what the thread has read before, and another thread may have written since
};

/// A race that a fence would have prevented: one block made its access, then wrote a flag or a counter, which the other
/// block read before it made its own.
struct MissingFence {
  bool before_write = false, after_read = false;  // what is missing
  std::uint32_t write = 0, read = 0;              // the instructions that hand over
  std::uint32_t first = 0, second = 0;            // the racing ones
};

/// One block drew a number from a counter; another, whose index this is, did the same work without drawing.
struct DoubledWork {
  std::uint32_t draw = 0;  // the instruction
  std::uint64_t number = 0;
};

/// A wait that let a copy go on: it leaves some of the newest groups pending, and too few were committed after the
/// copy's.
struct LeftPending {
  std::uint32_t instruction = 0;
  std::uint32_t left = 0, newer = 0;  // groups
};

/// How threads that have exited went past a barrier of their block, or lanes past the shuffles of their warp.
enum class WayPast : std::uint8_t {
  unknown,
  branch,    // at a branch
  early_end  // by a `return` before the kernel's end
};

/// A thread of the grid; ordered as findings order first occurrences.
struct ThreadOfGrid {
  std::uint64_t block = 0;   // linear
  std::uint32_t thread = 0;  // linear in the block
  auto operator<=>(const ThreadOfGrid&) const = default;
};

/// What one thread accessed; ordered as first occurrences are.
struct AccessOfThread {
  ThreadOfGrid thread;
  std::uint64_t address = 0;
  auto operator<=>(const AccessOfThread&) const = default;
};

/// One side of what happened: the access, or the threads at a barrier.
struct Party {
  std::optional<std::uint32_t> instruction;
  ThreadOfGrid thread;                   // the first of them
  AccessKind access = AccessKind::load;  // accesses
  std::uint32_t threads = 0;             // barriers: how many
  bool copies = false;                   // it is a copy in bulk that does so, which the thread has begun
  std::optional<std::uint32_t> call =
      {};  // refused accesses and barriers: the instruction of the kernel whose call led there
  auto operator<=>(const Party&) const = default;
};

/// The elements that threads of one block share, or of all blocks where they race with each other.
struct SharedElements {
  std::uint64_t block = 0;                // 0 where all blocks are meant
  std::uint64_t lowest = 0, highest = 0;  // addresses
};

/// One sighting (or several alike). Sightings with the same verdict, instruction and other instruction become one
/// finding: counts add up, and the sighting with the smallest thread (then address) speaks for all.
struct Sighting {
  Verdict verdict{};
  StrongRace strong = StrongRace::none;   // of the plain verdicts of races
  std::optional<MissingFence> fence;      // likewise
  std::optional<DoubledWork> doubled;     // races of blocks that write the same: of every one of the occurrences
  CopyRace way_of_copy = CopyRace::none;  // bulk_race
  WayPast way = WayPast::unknown;  // barriers missed by threads that exited: `other` is the branch or the end; shuffles
  std::uint32_t branch = 0;        // barriers, where the way is known: the instruction
  std::uint32_t barrier = 0;  // barriers reached by calls that differ: the instruction; the parties are at the calls
  bool decides = false;       // races: many lanes go where the value that they read sends them
  bool each_its_own = false;  // races: the lanes of a warp access different elements, so that each was to have its own
  bool lanes_share = false;   // races: lanes of a warp share an element
  Party at;
  std::optional<Party> other;
  MemorySpace space = MemorySpace::global;
  std::optional<std::uint64_t> owner = {};  // shared memory of a cluster's blocks: of which
  std::uint32_t rank = 0;                   // cluster_block_missing: the one that was asked for
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;             // of the access
  std::uint64_t end = 0;               // refused accesses, and reads of what nobody wrote: behind the last byte of any
  std::uint32_t lane = 0;              // shuffles: the lane that the thread reads
  std::uint32_t lanes = 0;             // shuffles: the lanes that execute it
  std::uint32_t left_at = 0;           // shuffles, where that lane's way is known: the branch, or the end
  std::optional<RowPitches> pitches;   // reads of shared memory that was not written
  std::optional<LeftPending> pending;  // likewise, of a copy that has begun: the last wait after it, of who began it
  bool reads_of_others = false;  // likewise: in one of the occurrences a thread reads what another one began to copy
  bool harmless = false;         // reads of what nobody has written: nothing depends on what they give
  std::optional<BarrierInMemory> in_memory;      // memory_barrier_deadlock
  std::optional<TensorMap> tensor;               // refused accesses of a copy that goes by it
  TensorFault tensor_fault = TensorFault::none;  // tensor_map
  std::uint32_t dimensions = 0;                  // likewise: of the instruction
  std::uint64_t count = 1;
  std::optional<AccessOfThread> last;  // refused accesses: of the occurrences the last one
  // What the log finds out.
  bool across_warps = false;               // in one of the occurrences the two parties were of different warps
  std::optional<SharedElements> elements;  // races: of the first block
  bool several_writers = false;  // a store of one of the parties races with itself: several threads write one element
  bool updates = false;          // reads race with the store of the element, as those of a sum do
};

/// Commutative: the findings do not depend on the order of add() and merge(). Not thread-safe; a block observer fills
/// its own log and merges it into the launch's under that one's lock.
class FindingLog {
 public:
  void add(const Sighting& sighting);
  void merge(const FindingLog& log);
  /// What another run of the same launch has shown. What both have shown was seen as often as in the one that showed
  /// it more often.
  void merge_other_run(const FindingLog& log);
  /// Of memory, but for what a copy is still to write.
  void unwritten_reads_are_harmless();
  bool empty() const { return sightings_.empty(); }
  bool any_verdict(bool (*is)(Verdict)) const {
    return std::ranges::any_of(sightings_, [&](const auto& sighting) { return is(sighting.first.verdict); });
  }
  /// In words, sorted by (place, id, other place).
  std::vector<Finding> findings(const LaunchNames& names, const LaunchConfig& config) const;

 private:
  struct Key {
    Verdict verdict{};
    std::optional<std::uint32_t> instruction, other;
    StrongRace strong = StrongRace::none;
    bool unfenced = false;
    auto operator<=>(const Key&) const = default;
  };
  bool has_several_writers(const Sighting& sighting) const;
  bool reads_what_it_writes(const Sighting& sighting) const;
  bool says_nothing_new(const Key& key) const;
  std::uint64_t end_in_shared(const Sighting& sighting, const LaunchNames& names) const;

  std::map<Key, Sighting> sightings_;
};

/// Merges findings of several launches: those with the same id, kernel, place, other place and severity become one, the
/// count summed and the rest taken from the smallest (block, thread). Sorted by (kernel, place, id).
std::vector<Finding> merge_findings(std::vector<Finding> findings);

}  // namespace cudalabs::vgpu
