// Message, note and help of what blocks of a cluster do to each other: races on shared memory, its life time, and the
// cluster's barrier.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "text/counted.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/race_verdict.h"
#include "vgpu/check/verdict_words.h"

namespace cudalabs::vgpu {

using namespace finding_ids;

std::string VerdictWords::block_text(std::uint64_t block) const {
  const Index3 at = coordinates(block, config_.grid);
  return fmt::format("block ({}, {}, {})", at[0], at[1], at[2]);
}

/// "`tile[3]` of block (1, 0, 0)".
std::string VerdictWords::owned_text() const {
  const auto range = names_.nearest(s_.space, s_.address);
  const std::string what = range ? range_text(s_.space, *range, s_.address, s_.bytes) : "shared memory";
  return s_.owner ? fmt::format("{} of {}", what, block_text(*s_.owner)) : what;
}

bool VerdictWords::of_one_cluster() const {
  return s_.other && config_.blocks_per_cluster() > 1 &&
         place_in_cluster(s_.at.thread.block, config_).cluster ==
             place_in_cluster(s_.other->thread.block, config_).cluster;
}

std::string VerdictWords::barrier_of(std::string_view call, std::string_view group) const {
  const bool known = where_.known() && other_.known() && where_.file == other_.file && where_.line != other_.line;
  if (!known) return fmt::format("put a `{}` between the two accesses, which all threads of the {} reach", call, group);
  const auto& [first, last] = std::minmax(where_.line, other_.line);
  return fmt::format(
      "put a `{}` between line {} and line {}, or between two rounds of a loop around them; all threads of the {} must "
      "reach it",
      call, first, last, group);
}

std::string VerdictWords::cluster_barrier_help() const {
  return barrier_of("cluster.sync()", "cluster");
}

void VerdictWords::cluster_race(Finding& f) {
  const bool equal = writes_the_same(s_.verdict);
  f.id = kSharedRace;
  f.severity = equal ? Severity::warning : Severity::error;
  f.address = s_.address;
  const AccessKind its = s_.other->access;
  f.message = equal ? std::string("this write races with a write of the same value to the same shared memory")
                    : fmt::format("this {} races with {} {} of the same shared memory", verb(s_.at.access),
                                  its == AccessKind::atomic ? "an" : "a", verb(its));
  f.message += " by a thread of another block of the cluster";
  f.other = OtherPlace{fmt::format("the other thread's {} is here", verb(its)), other_,
                       coordinates(s_.other->thread.block, config_.grid),
                       coordinates(s_.other->thread.thread, config_.block)};
  f.note = fmt::format("{} in conflict at {}", counted(s_.bytes, "byte"), owned_text());
  const bool same_step = s_.at.instruction == s_.other->instruction;
  const bool writes_only = s_.at.access == AccessKind::store && its == AccessKind::store;
  if (equal) {
    f.note += "; all wrote the value that was already there";
    f.help =
        "if one value is meant for all blocks, let one of them write it; if each is meant to have its own element, "
        "check the index and the rank";
  } else if (writes_only && same_step) {
    f.help =
        "blocks write the same element in one step: check the rank that `map_shared_rank` is given, and the index; "
        "to add to one sum, use `atomicAdd`";
  } else if (s_.at.access == AccessKind::atomic || its == AccessKind::atomic) {
    f.help = "an atomic does not protect a plain access to the same element: " + cluster_barrier_help();
  } else {
    f.help = "`__syncthreads()` waits for the threads of one block only: " + cluster_barrier_help();
  }
}

void VerdictWords::cluster_block_not_begun(Finding& f) {
  f.id = kSharedRace;
  f.address = s_.address;
  f.message = fmt::format("nothing says that {} has begun before this {} of its shared memory", block_text(*s_.owner),
                          verb(s_.at.access));
  f.note = fmt::format("{} at {}", counted(s_.bytes, "byte"), owned_text());
  f.help = "call `cluster.sync()` at the beginning of the kernel: behind it, all blocks of the cluster have begun";
}

void VerdictWords::cluster_block_ends_early(Finding& f) {
  f.id = kSharedRace;
  f.address = s_.address;
  f.message = fmt::format("nothing keeps {} from ending before this {} of its shared memory", block_text(*s_.owner),
                          verb(s_.at.access));
  f.note = fmt::format("at {}: it is gone when the block ends", owned_text());
  f.help =
      "call `cluster.sync()` behind the last access to the shared memory of other blocks: all threads of the cluster "
      "wait there before they end";
}

void VerdictWords::cluster_block_ended(Finding& f) {
  f.id = kUseAfterFree;
  f.address = s_.address;
  f.message = s_.owner
                  ? fmt::format("{} in the shared memory of {}, which has ended", access_text(), block_text(*s_.owner))
                  : access_text() + " in the shared memory of a block that has ended";
  f.note = "at " + owned_text();
  f.help =
      "call `cluster.sync()` behind the last access to the shared memory of other blocks: all threads of the cluster "
      "wait there before they end, and none may leave earlier by a `return`";
}

void VerdictWords::cluster_block_missing(Finding& f) {
  f.id = kSharedOutOfBounds;
  f.address = s_.address;
  const std::uint32_t blocks = config_.blocks_per_cluster();
  f.message = fmt::format("{} in the shared memory of rank {}, and the cluster has {}", access_text(), s_.rank,
                          counted(blocks, "block"));
  f.note = fmt::format("ranks go from 0 to {}", blocks - 1);
  f.help =
      "check the rank that `map_shared_rank` is given: the next one after the last is 0, as in "
      "`(rank + 1) % cluster.num_blocks()`, and the launch says how many blocks a cluster has";
}

void VerdictWords::cluster_barrier_exited(Finding& f) {
  f.id = kBarrierDivergence;
  f.message = "threads of the cluster have exited without reaching this barrier of the cluster";
  f.note = fmt::format("{} exited, the first of them in {}; the others go on without them",
                       counted(s_.other->threads, "thread"), block_text(s_.other->thread.block));
  f.help =
      "every thread of every block of the cluster must reach `cluster.sync()`, and as often as the others: idle blocks "
      "and threads skip the work, not the barrier; the shared memory of a block that has ended is gone";
  if (s_.way == WayPast::unknown || !other_.known()) return;
  f.other =
      OtherPlace{s_.way == WayPast::early_end ? "exited threads left here" : "this condition kept threads from it",
                 other_,
                 coordinates(s_.other->thread.block, config_.grid),
                 {}};
}

void VerdictWords::cluster_barrier_deadlock(Finding& f) {
  f.id = kBarrierDivergence;
  f.message = "deadlock: the cluster waits at its barrier for threads that never arrive";
  waiting(f);
  f.help =
      "let every thread of the cluster arrive at its barrier as often as the others, and before it waits: "
      "`barrier_arrive()` comes before `barrier_wait()`, and no condition may keep threads or blocks from them";
}

void VerdictWords::cluster_arrived_twice(Finding& f) {
  f.id = kBarrierDivergence;
  f.message = "threads arrive at the barrier of the cluster a second time, and have not waited since the first";
  f.note =
      fmt::format("{} here; which phase of the barrier they arrive in is undefined", counted(s_.at.threads, "thread"));
  f.help = "call `barrier_wait()` after each `barrier_arrive()`, before the next one";
}

}  // namespace cudalabs::vgpu
