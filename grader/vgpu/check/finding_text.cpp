// Message, note and help of every verdict: what happened, the facts, what to do next.
#include "vgpu/check/finding_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string_view>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu {

namespace {

using namespace finding_ids;

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string_view verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "read";
    case AccessKind::store:
      return "write";
    case AccessKind::atomic:
      return "atomic update";
  }
  return "access";
}

std::string name_of(MemorySpace space, const NamedRange& range) {
  if (!range.name.empty()) return "`" + range.name + "`";
  return space == MemorySpace::shared ? "the block's shared memory" : "an allocation";
}

/// "byte 12 of `tile` (1024 bytes), its element 3", where elements are what an access of `bytes` bytes touches.
std::string range_text(MemorySpace space, const NamedRange& range, std::uint64_t address, std::uint32_t bytes) {
  const std::uint64_t offset = address - range.address;
  std::string text = fmt::format("byte {} of {} ({})", offset, name_of(space, range), counted(range.bytes, "byte"));
  // An access wider than any number is of several elements.
  const bool whole = bytes != 0 && bytes <= sizeof(double) && offset % bytes == 0 && range.bytes % bytes == 0;
  if (!range.name.empty() && whole && range.bytes > bytes) {
    text += fmt::format(", its element {}", offset / bytes);
  }
  return text;
}

/// Everything the words of one finding are made from.
class Words {
 public:
  Words(const Sighting& sighting, const LaunchNames& names, const LaunchConfig& config)
      : s_(sighting), names_(names), config_(config) {
    if (s_.at.instruction) where_ = names_.place(*s_.at.instruction);
    if (s_.other && s_.other->instruction) other_ = names_.place(*s_.other->instruction);
  }

  Finding build() {
    Finding f;
    f.where = where_;
    f.kernel = names_.kernel();
    f.block = coordinates(s_.at.thread.block, config_.grid);
    f.thread = coordinates(s_.at.thread.thread, config_.block);
    f.count = s_.count;
    fill(f);
    return f;
  }

 private:
  void fill(Finding& f) {
    switch (s_.verdict) {
      case Verdict::shared_race:
      case Verdict::shared_race_equal:
      case Verdict::shared_race_volatile:
      case Verdict::global_race_within_block:
      case Verdict::global_race_within_block_equal:
      case Verdict::global_race_within_block_volatile:
      case Verdict::global_race_between_blocks:
      case Verdict::global_race_between_blocks_equal:
        return race(f);
      case Verdict::barrier_sites_differ:
        return barrier_sites(f);
      case Verdict::barrier_missed_by_exited:
        return barrier_exited(f);
      case Verdict::barrier_deadlock:
        return barrier_deadlock(f);
      case Verdict::warp_deadlock:
        return warp_deadlock(f);
      case Verdict::outside_mask:
        return outside_mask(f);
      case Verdict::inactive_shuffle:
        return inactive_shuffle(f);
      case Verdict::global_out_of_bounds:
      case Verdict::shared_out_of_bounds:
      case Verdict::local_out_of_bounds:
      case Verdict::constant_out_of_bounds:
        return out_of_bounds(f);
      case Verdict::write_to_constant:
        return write_to_constant(f);
      case Verdict::input_overwritten:
        return input_overwritten(f);
      case Verdict::misaligned:
        return misaligned(f);
      case Verdict::host_pointer:
        return host_pointer(f);
      case Verdict::null_pointer:
        return null_pointer(f);
      case Verdict::use_after_free:
        return use_after_free(f);
      case Verdict::uninitialized_shared:
      case Verdict::uninitialized_global:
      case Verdict::uninitialized_register:
        return uninitialized(f);
    }
  }

  // ---- races

  void race(Finding& f) {
    const bool shared = s_.space == MemorySpace::shared;
    const bool between_blocks =
        s_.verdict == Verdict::global_race_between_blocks || s_.verdict == Verdict::global_race_between_blocks_equal;
    const bool equal = s_.verdict == Verdict::shared_race_equal ||
                       s_.verdict == Verdict::global_race_within_block_equal ||
                       s_.verdict == Verdict::global_race_between_blocks_equal;
    const bool relies_on_volatile =
        s_.verdict == Verdict::shared_race_volatile || s_.verdict == Verdict::global_race_within_block_volatile;
    f.id = shared ? kSharedRace : kGlobalRace;
    f.severity = equal || relies_on_volatile ? Severity::warning : Severity::error;
    f.address = s_.address;
    const std::string_view memory = shared ? "shared memory" : "global memory";
    const std::string_view who = between_blocks ? "a thread of another block" : "another thread of the block";
    if (equal) {
      f.message = fmt::format("this write races with a write of the same value to the same {} by {}", memory, who);
    } else if (s_.strong == StrongRace::lost_updates) {
      f.message = fmt::format("this `volatile` write loses the {} of the same {} by {}",
                              s_.other->access == AccessKind::atomic ? "atomic update" : "update", memory, who);
    } else if (s_.strong == StrongRace::data_read) {
      f.message = fmt::format("this {} races with a {} of the same {} by {}: `volatile` orders nothing",
                              verb(s_.at.access), verb(s_.other->access), memory, who);
    } else if (relies_on_volatile) {
      f.message = fmt::format("this {} of `volatile` {} is not ordered with a {} by another lane of the warp",
                              verb(s_.at.access), memory, verb(s_.other->access));
    } else {
      f.message = fmt::format("this {} races with {} {} of the same {} by {}", verb(s_.at.access),
                              s_.other->access == AccessKind::atomic ? "an" : "a", verb(s_.other->access), memory, who);
    }
    f.other = OtherPlace{fmt::format("the other thread's {} is here", verb(s_.other->access)), other_,
                         coordinates(s_.other->thread.block, config_.grid),
                         coordinates(s_.other->thread.thread, config_.block)};
    f.note = counted(s_.bytes, "byte") + " in conflict";
    if (const auto range = names_.nearest(s_.space, s_.address))
      f.note += " at " + range_text(s_.space, *range, s_.address, s_.bytes);
    if (equal) {
      f.note += "; all wrote the value that was already there, so the outcome is the same on today's GPUs";
    } else if (s_.strong == StrongRace::lost_updates) {
      f.note +=
          "; between this thread's read and its write the other thread may write, and that is overwritten: `volatile` "
          "says that each access is made, not that two of them stay together";
    } else if (s_.strong == StrongRace::data_read) {
      f.note += "; `volatile` makes no thread wait for another";
    } else if (relies_on_volatile) {
      f.note += "; `volatile` does not make the lanes of a warp keep step, since Volta they may drift apart";
    }
    if (s_.fence) {
      f.note += fmt::format("; {} hands over from block to block, but {}", handing_over(), fence_facts());
      f.help = fence_help();
      return;
    }
    f.help = race_help(equal, between_blocks);
  }

  // A fence goes between the access and the write of a flag or counter, or between the read of it and the access.

  /// Empty where the instruction is not of the file that the finding is about, as the atomic functions of nvcc are not.
  std::string line(std::uint32_t instruction) const {
    const SourcePlace place = names_.place(instruction);
    return place.known() && place.file == where_.file ? fmt::format("line {}", place.line) : std::string();
  }

  std::string handing_over() const {
    const std::string write = line(s_.fence->write), read = line(s_.fence->read);
    if (write.empty() || read.empty()) return "an atomic or a flag";
    return write == read ? write : fmt::format("{} with {}", write, read);
  }

  std::string fence_facts() const {
    if (!s_.fence->after_read) return "without a fence before it, what was done before need not have happened yet";
    if (!s_.fence->before_write) return "without a fence after it, what comes after may have happened already";
    return "without fences around it, it says nothing about what comes before and after";
  }

  std::string fence_help() const {
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

  std::string race_help(bool equal, bool between_blocks) const {
    const bool writes_only = s_.at.access == AccessKind::store && s_.other->access == AccessKind::store;
    const bool same_step = s_.at.instruction == s_.other->instruction;
    if (equal && s_.each_its_own) {
      return "two threads have come to one element: check the guard in every dimension, the row length, and how far a "
             "thread's elements lie from the next thread's";
    }
    if (equal) {
      return fmt::format(
          "several threads come to one element: where each was to have its own, check the guard and the index in every "
          "dimension; where one value is wanted, let one thread of the {} write it",
          between_blocks ? "grid" : "block, such as `if (threadIdx.x == 0)` in one dimension,");
    }
    const bool atomic = s_.at.access == AccessKind::atomic || s_.other->access == AccessKind::atomic;
    const bool plain_read = s_.at.access == AccessKind::load || s_.other->access == AccessKind::load;
    if (s_.strong == StrongRace::lost_updates) {
      return "let the hardware read and write in one step: use `atomicAdd` or another atomic on this element, or give "
             "each thread an element of its own";
    }
    if (between_blocks && atomic && plain_read) {
      return "an atomic does not protect a plain read of the same element: use the value that the atomic returns, or "
             "read in a second kernel, after all blocks have ended";
    }
    if (between_blocks && atomic) {
      return "an atomic does not protect a plain write of the same element, and blocks of one launch cannot wait for "
             "each other: set the element before the launch, with `cudaMemset`, or let the write be an atomic, too";
    }
    if (between_blocks && writes_only && same_step && s_.each_its_own) {
      return "blocks of one launch cannot wait for each other, and two threads have come to one element: check the "
             "guard in every dimension and the index, in which `blockIdx` belongs";
    }
    if (between_blocks) {
      return "blocks of one launch cannot wait for each other: give each block its own element, use `atomicAdd`, or a "
             "second kernel";
    }
    if ((writes_only && same_step) || s_.several_writers) {
      return "several threads write the same element in one step: give each thread its own element, let one thread do "
             "it, or use `atomicAdd`";
    }
    if (atomic) {
      return "an atomic does not protect a plain access to the same element: make both atomic, or " +
             barrier_help("__syncthreads()");
    }
    return barrier_help(s_.across_warps ? "__syncthreads()" : "__syncthreads()` or a `__syncwarp()");
  }

  std::string barrier_help(std::string_view what) const {
    if (!where_.known() || !other_.known() || where_.file != other_.file) {
      return fmt::format("put a `{}` between the two accesses", what);
    }
    if (other_.line < where_.line) {
      return fmt::format("put a `{}` between line {} and line {}", what, other_.line, where_.line);
    }
    if (other_.line > where_.line) {
      return fmt::format("put a `{}` after line {}, before the loop comes back to line {}", what, other_.line,
                         where_.line);
    }
    return fmt::format("put a `{}` between the two accesses of line {}: in a loop, one each time round", what,
                       where_.line);
  }

  // ---- barriers

  void barrier_sites(Finding& f) {
    f.id = kBarrierDivergence;
    f.message = "threads of one block wait at different barriers";
    f.note =
        fmt::format("{} here, {} at the other", counted(s_.at.threads, "thread"), counted(s_.other->threads, "thread"));
    f.help =
        "let all threads of the block reach the same `__syncthreads()`: move it out of the `if`, and out of loops "
        "that threads leave at different times";
    f.other = OtherPlace{"others wait at this barrier", other_, coordinates(s_.other->thread.block, config_.grid),
                         coordinates(s_.other->thread.thread, config_.block)};
  }

  void barrier_exited(Finding& f) {
    f.id = kBarrierDivergence;
    f.message = "threads of the block have exited without reaching this barrier";
    f.note = fmt::format("{} here, {} exited; GPUs since Volta let it pass, the programming guide calls it undefined",
                         counted(s_.at.threads, "thread"), s_.other->threads);
    f.help =
        "let idle threads skip the work, not the barrier: replace an early `return` by an `if` around the work, and "
        "keep `__syncthreads()` outside";
  }

  void barrier_deadlock(Finding& f) {
    f.id = kBarrierDivergence;
    f.message = "deadlock: the block waits at a barrier that the rest of its threads never reach";
    waiting(f);
    f.help = "let every thread that the barrier counts reach it the same number of times";
  }

  void warp_deadlock(Finding& f) {
    f.id = kBarrierDivergence;
    f.message = "deadlock: lanes wait for other lanes of their warp, which never come";
    waiting(f);
    f.help = std::string(kMaskHelp);
  }

  void outside_mask(Finding& f) {
    f.id = kBarrierDivergence;
    f.message = "lanes execute this with a mask that does not name them: what they get, and who waits, is undefined";
    f.help = std::string(kMaskHelp);
  }

  void inactive_shuffle(Finding& f) {
    f.id = kShuffleFromInactiveLane;
    f.message = "a shuffle reads lanes that do not take part in it, and the result depends on what it gets there";
    f.note = fmt::format("lane {} reads lane {}; the lanes that execute the shuffle here are {:#010x}",
                         s_.at.thread.thread % kWarpSize, s_.lane, s_.lanes);
    f.help =
        "what such a lane gives is undefined: let all lanes that are read execute the shuffle and name them in its "
        "mask "
        "(idle threads with a value that changes nothing, such as 0 for a sum), or use a `width` and a distance that "
        "stay inside the lanes that do";
  }

  void waiting(Finding& f) {
    f.note = counted(s_.at.threads, "thread") + " here";
    if (!s_.other) return;
    f.note += fmt::format(", {} elsewhere", s_.other->threads);
    f.other = OtherPlace{"others wait here", other_, coordinates(s_.other->thread.block, config_.grid),
                         coordinates(s_.other->thread.thread, config_.block)};
  }

  static constexpr std::string_view kMaskHelp =
      "name in the mask of `__syncwarp` and of the `_sync` functions the lanes that execute it, no others; outside of "
      "branches that is `0xffffffff`";

  // ---- memory

  std::string access_text() const { return fmt::format("{} of {}", verb(s_.at.access), counted(s_.bytes, "byte")); }

  void out_of_bounds(Finding& f) {
    f.address = s_.address;
    switch (s_.verdict) {
      case Verdict::shared_out_of_bounds:
        f.id = kSharedOutOfBounds;
        f.message = access_text() + " outside the block's shared memory";
        f.help =
            "check the index against the size of the `__shared__` array; for an `extern __shared__` array, pass its "
            "size in bytes as the third launch argument";
        break;
      case Verdict::local_out_of_bounds:
        f.id = kLocalOutOfBounds;
        f.message = access_text() + " outside the thread's local memory";
        f.help = "check the index against the size of the array declared in the kernel";
        break;
      case Verdict::constant_out_of_bounds:
        f.id = kConstantOutOfBounds;
        f.message = access_text() + " outside every `__constant__` variable";
        f.help = "check the index against the size of the `__constant__` array";
        break;
      default:
        f.id = kGlobalOutOfBounds;
        f.message = access_text() + " outside every allocation";
        f.help =
            "let only threads whose index is inside the array touch it, `if (i < n)` in every dimension, and check "
            "that `n` and the row length are the ones the array was allocated with";
    }
    f.note = distance_text();
  }

  std::string distance_text() const {
    const auto range = names_.nearest(s_.space, s_.address);
    if (!range) return "no allocation is near this address";
    if (s_.space == MemorySpace::shared && s_.address > std::numeric_limits<std::int32_t>::max()) {
      // Addresses of shared memory have 32 bits: this one came from an index below 0.
      const std::uint64_t before = range->address + (std::uint64_t{1} << 32) - s_.address;
      return fmt::format("{} before the start of {}", counted(before, "byte"), name_of(s_.space, *range));
    }
    const std::uint64_t end = range->address + range->bytes;
    const std::string size =
        fmt::format("{}, allocated as {}", name_of(s_.space, *range), counted(range->bytes, "byte"));
    if (s_.address < range->address) {
      return fmt::format("{} before the start of {}", counted(range->address - s_.address, "byte"), size);
    }
    if (s_.address < end) {
      return fmt::format("the last {} of the access are past the end of {}",
                         counted(s_.address + s_.bytes - end, "byte"), size);
    }
    std::string text = s_.address == end
                           ? "just past the end of " + size
                           : fmt::format("{} past the end of {}", counted(s_.address - end, "byte"), size);
    if (s_.bytes != 0 && range->bytes >= s_.bytes && (s_.address - range->address) % s_.bytes == 0) {
      text += fmt::format(": index {} where {} is the last", (s_.address - range->address) / s_.bytes,
                          range->bytes / s_.bytes - 1);
    }
    return text;
  }

  void write_to_constant(Finding& f) {
    f.id = kWriteToConstant;
    f.address = s_.address;
    f.message = "write to constant memory by a kernel";
    f.help =
        "kernels only read `__constant__` variables: set them from the host with `cudaMemcpyToSymbol`, or use a "
        "`__device__` variable";
  }

  void input_overwritten(Finding& f) {
    f.id = kInputOverwritten;
    f.address = s_.address;
    const auto input = names_.input(s_.address, s_.bytes);
    const std::string element = input ? "`" + input->element(s_.address) + "`" : "an input";
    f.message = fmt::format("{} of {}, which the function may only read", verb(s_.at.access), element);
    f.note = "writing the value that is already there is a write, too";
    f.help =
        "the caller still needs its inputs as they were: write results to the output, and what lies in between to an "
        "array of your own (`cudaMalloc`)";
  }

  void misaligned(Finding& f) {
    f.id = kMisalignedAccess;
    f.address = s_.address;
    f.message = fmt::format("{} at an address that is not a multiple of {}", access_text(), s_.bytes);
    f.note = fmt::format("the address is {} past a multiple of {}", counted(s_.address % s_.bytes, "byte"), s_.bytes);
    if (const auto range = names_.nearest(s_.space, s_.address))
      f.note += ", at " + range_text(s_.space, *range, s_.address, s_.bytes);
    f.help =
        "a cast to a wider type such as `float4*` needs an index that is a multiple of the wider type's size, also in "
        "every row";
  }

  void host_pointer(Finding& f) {
    f.id = kHostPointerDereference;
    f.address = s_.address;
    f.message = access_text() + " through a pointer to host memory";
    f.help =
        "kernels cannot reach the host's memory: allocate the array with `cudaMalloc`, copy it with `cudaMemcpy`, and "
        "pass the device pointer";
  }

  void null_pointer(Finding& f) {
    f.id = kNullPointerDereference;
    f.address = s_.address;
    f.message = access_text() + " through a null pointer";
    f.note = s_.address == 0 ? "the address is 0" : fmt::format("the address is {}: null plus an offset", s_.address);
    f.help =
        "check that `cudaMalloc` was called for this pointer, that it returned `cudaSuccess`, and that the pointer it "
        "filled in is the one passed to the kernel";
  }

  void use_after_free(Finding& f) {
    f.id = kUseAfterFree;
    f.address = s_.address;
    f.message = access_text() + " in memory that was freed";
    if (const auto range = names_.nearest(s_.space, s_.address))
      f.note = range_text(s_.space, *range, s_.address, s_.bytes);
    f.help = "call `cudaFree` only after the last kernel and the last copy that use the array";
  }

  void uninitialized(Finding& f) {
    f.id = kUninitializedRead;
    if (s_.verdict == Verdict::uninitialized_register) {
      f.severity = Severity::warning;  // whether anything depends on it, the results say
      f.message = "a variable is used here that was never given a value";
      f.note = "the virtual GPU lets it begin with NaN, or a huge integer; on a GPU it holds anything";
      f.help = "give every local variable a value where you declare it, a sum `0.0f`";
      return;
    }
    f.address = s_.address;
    if (s_.verdict == Verdict::uninitialized_shared) {
      f.message = "read of shared memory that no thread of the block has written";
      f.help =
          "write every element before it is read, the tile's edge too (with zeros), and put a `__syncthreads()` "
          "between writing and reading";
    } else {
      f.message = "read of global memory that nobody has written";
      f.help = "fill the array first: `cudaMemcpy` from the host, `cudaMemset`, or a kernel that writes all of it";
    }
    f.note = counted(s_.bytes, "byte");
    if (const auto range = names_.nearest(s_.space, s_.address))
      f.note += " at " + range_text(s_.space, *range, s_.address, s_.bytes);
  }

  const Sighting& s_;
  const LaunchNames& names_;
  const LaunchConfig& config_;
  SourcePlace where_, other_;
};

}  // namespace

Finding finding_in_words(const Sighting& sighting, const LaunchNames& names, const LaunchConfig& config) {
  return Words(sighting, names, config).build();
}

Finding redundant_barrier(std::string kernel, SourcePlace where, std::uint64_t executed) {
  Finding f;
  f.id = kRedundantBarrier;
  f.severity = Severity::advice;
  f.message = "this barrier keeps no two conflicting accesses apart";
  f.where = std::move(where);
  f.kernel = std::move(kernel);
  f.count = executed;
  f.note = fmt::format("executed {} times by a block; no race would appear without it on the inputs tried", executed);
  f.help =
      "remove it if you can say why no thread reads what another wrote before it, nor overwrites what another still "
      "reads";
  return f;
}

}  // namespace cudalabs::vgpu
