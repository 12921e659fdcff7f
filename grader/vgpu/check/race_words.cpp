// Message, note and help of races.
#include "vgpu/check/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/counted.h"
#include "vgpu/check/deciding_race.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/launch_words.h"
#include "vgpu/check/race_verdict.h"

namespace cudalabs::vgpu {

using namespace finding_ids;

namespace {

/// The condition that holds for one thread of the block, or of the grid.
std::string first_thread_of(const LaunchConfig& config, bool of_grid) {
  std::string condition;
  const auto add = [&](std::string_view index, const Index3& extent) {
    constexpr std::string_view kAxes = "xyz";
    for (std::size_t axis = 0; axis < extent.size(); ++axis) {
      if (extent[axis] > 1)
        condition += fmt::format("{}{}.{} == 0", condition.empty() ? "" : " && ", index, kAxes[axis]);
    }
  };
  if (of_grid) add("blockIdx", config.grid);
  add("threadIdx", config.block);
  return condition;
}

std::string with_article(AccessKind kind) {
  return fmt::format("{} {}", kind == AccessKind::atomic ? "an" : "a", verb(kind));
}

}  // namespace

void VerdictWords::race(Finding& f) {
  const bool shared = s_.space == MemorySpace::shared;
  const bool between_blocks =
      s_.verdict == Verdict::global_race_between_blocks || s_.verdict == Verdict::global_race_between_blocks_equal;
  const bool equal = writes_the_same(s_.verdict);
  const bool relies_on_volatile = relies_on_volatile_alone(s_.verdict);
  f.id = shared ? kSharedRace : kGlobalRace;
  f.severity = equal || relies_on_volatile ? Severity::warning : Severity::error;
  f.address = s_.address;
  const std::string_view memory = shared ? "shared memory" : "global memory";
  const std::string_view who = between_blocks ? "a thread of another block" : "another thread of the block";
  if (s_.doubled) {
    f.message = fmt::format(
        "two blocks do the same work: this write races with a write of the same value to the same "
        "{} by {}",
        memory, who);
  } else if (equal) {
    f.message = fmt::format("this write races with a write of the same value to the same {} by {}", memory, who);
  } else if (s_.strong == StrongRace::lost_updates) {
    f.message = fmt::format("this `volatile` write loses the {} of the same {} by {}",
                            s_.other->access == AccessKind::atomic ? "atomic update" : "update", memory, who);
  } else if (s_.strong == StrongRace::data_read) {
    f.message = fmt::format("this {} races with {} of the same {} by {}: `volatile` orders nothing", verb(s_.at.access),
                            with_article(s_.other->access), memory, who);
  } else if (relies_on_volatile) {
    f.message = fmt::format("this {} of `volatile` {} is not ordered with {} by another lane of the warp",
                            verb(s_.at.access), memory, with_article(s_.other->access));
  } else {
    f.message = fmt::format("this {} races with {} of the same {} by {}", verb(s_.at.access),
                            with_article(s_.other->access), memory, who);
  }
  if (s_.decides && f.severity == Severity::error) f.message += kDecidingEnd;
  f.other = OtherPlace{fmt::format("the other thread's {} is here", verb(s_.other->access)), other_,
                       coordinates(s_.other->thread.block, config_.grid),
                       coordinates(s_.other->thread.thread, config_.block)};
  f.note = counted(s_.bytes, "byte") + " in conflict";
  if (const auto range = names_.nearest(s_.space, s_.address)) {
    f.note += " at " + range_text(s_.space, *range, s_.address, s_.bytes);
    f.access.element = element_text(*range, s_.address, s_.bytes);
    f.access.begin = range->address;
  }
  if (equal) {
    f.note += "; all wrote the value that was already there, so the outcome is the same on today's GPUs";
  } else if (s_.strong == StrongRace::lost_updates) {
    f.note +=
        "; between this thread's read and its write the other thread may write, and that is overwritten: `volatile` "
        "says that each access is made, not that two of them stay together";
  } else if (s_.strong == StrongRace::data_read) {
    f.note += "; `volatile` makes no thread wait for another";
  } else if (s_.strong == StrongRace::counter_read) {
    f.note +=
        "; this block has counted before, and other blocks may count between that and this read: several blocks may "
        "find that they are the last, or some threads of a block and not the others";
  } else if (relies_on_volatile) {
    f.note += "; `volatile` does not keep the lanes of a warp at the same instruction: since Volta, each may run ahead";
  }
  if (s_.doubled) return doubled_work(f);
  if (s_.fence) {
    f.note += fmt::format("; {} hands over from block to block, but {}", handing_over(), fence_facts());
    f.help = fence_help();
    return;
  }
  f.help = race_help(equal, between_blocks);
  f.barrier = lines_of_missing();
  if (!equal) name_same_array(f);
  if (!equal && !between_blocks) name_warp_barrier(f);
}

/// A counter gives out numbers that blocks begin with by themselves.
void VerdictWords::doubled_work(Finding& f) const {
  const std::uint64_t number = s_.doubled->number;
  const auto name = [&](const Party& party) {
    const Index3 block = coordinates(party.thread.block, config_.grid);
    return fmt::format("block ({}, {}, {})", block[0], block[1], block[2]);
  };
  const bool at_drew = s_.at.thread.block != number;
  f.note = fmt::format("{} drew the number {}, and {} began with it\n{}", name(at_drew ? s_.at : *s_.other), number,
                       name(at_drew ? *s_.other : s_.at), f.note);
  const SourcePlace counter = names_.place(s_.doubled->draw);
  if (counter.known() && counter != where_) f.cause = OtherPlace{"the numbers are drawn here", counter, {}, {}};
  f.help =
      "the counter gives out numbers that blocks begin with by themselves, so work is done twice: set it to the number "
      "of blocks before the launch, or let each block draw its first number, too";
}

/// A barrier that stands between the two accesses already, and waits for the lanes of one warp.
void VerdictWords::name_warp_barrier(Finding& f) const {
  const bool of_two_warps = s_.at.thread.thread / kWarpSize != s_.other->thread.thread / kWarpSize;
  if (!of_two_warps || !where_.known() || !other_.known()) return;
  const auto barrier = names_.warp_barrier_between(other_, where_);
  if (!barrier) return;
  f.cause = OtherPlace{"this barrier waits for threads of one warp only", *barrier, {}, {}};
  f.help = fmt::format(
      "the barrier in line {} keeps the threads of a warp together, at most 32, and these two are of different warps: "
      "let all threads of the block wait there, with `__syncthreads()`",
      barrier->line);
  if (const GuardsBetween guards = guards_around(); !guards.of_both.empty())
    f.help += ", and " + all_must_reach(guards.of_both.front());
}

/// Two arrays that are one, in this launch: two accesses to one element need not be two to one of the program's arrays.
void VerdictWords::name_same_array(Finding& f) const {
  if (s_.space != MemorySpace::global || !s_.at.instruction || !s_.other->instruction) return;
  const auto pointers = names_.same_array(*s_.at.instruction, *s_.other->instruction);
  if (!pointers) return;
  f.launch.pointer = pointers->first;
  f.launch.other_pointer = pointers->second;
  const auto& [first, last] = std::minmax(pointers->first, pointers->second);
  f.note += fmt::format("\n{}, as arguments {} and {}", kSameArrayNote, first, last);
  f.help =
      "let the kernel read one array and write to another, so that no thread overwrites what others still read; "
      "exchange the two after each launch";
}

// A fence goes between the access and the write of a flag or counter, or between the read of it and the access.

/// Empty where the instruction is not of the file that the finding is about, as the atomic functions of nvcc are not.
std::string VerdictWords::line(std::uint32_t instruction) const {
  const SourcePlace place = names_.place(instruction);
  return place.known() && place.file == where_.file ? fmt::format("line {}", place.line) : std::string();
}

std::string VerdictWords::handing_over() const {
  const std::string write = line(s_.fence->write), read = line(s_.fence->read);
  if (write.empty() || read.empty()) return "an atomic or a flag";
  return write == read ? write : fmt::format("{} with {}", write, read);
}

std::string VerdictWords::fence_facts() const {
  if (!s_.fence->after_read) return "without a fence before it, what was done before need not have happened yet";
  if (!s_.fence->before_write) return "without a fence after it, what comes after may have happened already";
  return "without fences around it, it says nothing about what comes before and after";
}

std::string VerdictWords::fence_help() const {
  const auto between = [&](std::uint32_t from, std::uint32_t to) {
    const std::string first = line(from), last = line(to);
    if (first.empty() && last.empty()) return std::string("between the access and the atomic or flag");
    if (last.empty()) return fmt::format("after {}, before the atomic or flag that says so", first);
    if (first.empty()) return fmt::format("before {}, after the atomic or flag was read", last);
    return first == last ? "within " + first : fmt::format("between {} and {}", first, last);
  };
  std::string text;
  if (s_.fence->before_write || !s_.fence->after_read) {
    text = "put a `__threadfence()` " + between(s_.fence->first, s_.fence->write);
  }
  if (s_.fence->after_read) {
    text += text.empty() ? "put a `__threadfence()` " : ", and one ";
    text += between(s_.fence->read, s_.fence->second);
  }
  return text;
}

Help VerdictWords::race_help(bool equal, bool between_blocks) const {
  const bool writes_only = s_.at.access == AccessKind::store && s_.other->access == AccessKind::store;
  const bool same_step = s_.at.instruction == s_.other->instruction;
  const std::string axis = between_blocks ? std::string() : differing_axis();
  if (equal && s_.each_its_own && s_.lanes_share && !axis.empty()) {
    return fmt::format(
        "threads that differ in `threadIdx.{0}` write the same element: if they are meant to share it, let one of them "
        "write it: `if (threadIdx.{0} == 0)`; else let the index depend on `threadIdx.{0}`",
        axis);
  }
  if (equal && s_.each_its_own) {
    return "two threads use the same element: check the guard in every dimension, the row length, and how far a "
           "thread's elements lie from the next thread's";
  }
  if (equal && s_.elements && s_.elements->lowest != s_.elements->highest) {
    return fmt::format(
        "several threads write the same element: check the index and the guard in every dimension; if the threads are "
        "meant to share an element, let one thread of the {} write it",
        between_blocks ? "grid" : "block");
  }
  if (equal) {
    return fmt::format(
        "if one value is meant for all threads, let one thread write it: `if ({})`; if each thread is meant to have an "
        "element of its own, check the index",
        first_thread_of(config_, between_blocks));
  }
  if (s_.strong == StrongRace::counter_read) {
    return "use the value that the atomic returns, which no other block gets: let one thread count, write to shared "
           "memory whether it was the last, and let the block wait with `__syncthreads()` before it reads that";
  }
  const bool atomic = s_.at.access == AccessKind::atomic || s_.other->access == AccessKind::atomic;
  const bool plain_read = s_.at.access == AccessKind::load || s_.other->access == AccessKind::load;
  if (s_.strong == StrongRace::lost_updates) {
    return "let the hardware read and write in one step: use `atomicAdd` or another atomic on this element, or give "
           "each thread an element of its own";
  }
  if (between_blocks && of_one_cluster() && !atomic && !(writes_only && same_step)) {
    return "blocks of one cluster can wait for each other: " + cluster_barrier_help();
  }
  if (between_blocks && config_.cooperative && !atomic && !(writes_only && same_step)) {
    return "`__syncthreads()` and `sync()` of a block wait for its own threads only, and this launch is cooperative: " +
           barrier_of("grid.sync()", "grid");
  }
  if (between_blocks && atomic && plain_read) {
    return "an atomic does not protect a plain read of the same element: use the value that the atomic returns, or "
           "read in a second kernel, after all blocks have ended";
  }
  if (between_blocks && atomic) {
    return "an atomic does not protect a plain write of the same element, and blocks of one launch cannot wait for "
           "each other: set the element before the launch, with `cudaMemset` or in a kernel before this one";
  }
  if (between_blocks && writes_only && same_step && s_.each_its_own) {
    return {Advice::which_work,
            "blocks of one launch cannot wait for each other, and two threads use the same element: check the guard in "
            "every dimension and the index, in which `blockIdx` belongs"};
  }
  if (between_blocks) {
    return "blocks of one launch cannot wait for each other: give each block elements of its own; to add to one sum, "
           "use "
           "`atomicAdd`; to use what another block has stored, a second kernel";
  }
  if (writes_only && same_step && !s_.updates) {
    return {Advice::which_work,
            "several threads write the same element in one step: give each thread its own element, or let one do it; "
            "for a sum use `atomicAdd`, for one of the values `atomicMax` or `atomicCAS`"};
  }
  if ((writes_only && same_step) || s_.several_writers) {
    return {Advice::which_work,
            "several threads write the same element in one step: give each thread its own element, let one thread do "
            "it, or use `atomicAdd`"};
  }
  if (atomic) {
    return {Advice::atomic_or_barrier,
            "an atomic does not protect a plain access to the same element: make both atomic, or " +
                barrier_help(false).words()};
  }
  if (in_one_round()) {
    return {Advice::which_work,
            "the loop waits at a barrier in each round, and two threads use this element in the same round: what one "
            "thread writes in a round no other may use in it; look at the condition that says which threads work, and "
            "at the index"};
  }
  // A block of one warp says nothing: at another size, the same code needs a barrier of the block.
  const bool of_warps = s_.verdict == Verdict::shared_race_volatile ||
                        s_.verdict == Verdict::global_race_within_block_volatile ||
                        config_.threads_per_block() > kWarpSize;
  return barrier_help(of_warps && !s_.across_warps);
}

/// "x", where the two threads differ in that index alone, and blocks have several axes; else empty.
std::string VerdictWords::differing_axis() const {
  const auto& extent = config_.block;
  if (extent[1] == 1 && extent[2] == 1) return {};
  const Index3 one = coordinates(s_.at.thread.thread, extent), other = coordinates(s_.other->thread.thread, extent);
  std::string axes;
  for (std::size_t i = 0; i < extent.size(); ++i)
    if (one[i] != other[i]) axes += "xyz"[i];
  return axes.size() == 1 ? axes : std::string();
}

/// The two accesses of one statement, between whose rounds all threads wait.
bool VerdictWords::in_one_round() const {
  if (!where_.known() || where_.file != other_.file || where_.line != other_.line) return false;
  return (s_.at.instruction && names_.waits_each_round(*s_.at.instruction)) ||
         (s_.other->instruction && names_.waits_each_round(*s_.other->instruction));
}

}  // namespace cudalabs::vgpu
