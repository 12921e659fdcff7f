// Message, note and help of waits at barriers in memory and of bulk copies.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "text/counted.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/verdict_words.h"

namespace cudalabs::vgpu {

using namespace finding_ids;

namespace {

/// "1 of 2 arrivals is missing, and copies bring 64 bytes fewer than were announced".
std::string what_is_missing(const BarrierInMemory& barrier) {
  std::string text;
  if (barrier.missing != 0) {
    text = fmt::format("{} of {} {} missing", barrier.missing, counted(barrier.expected, "arrival"),
                       barrier.missing == 1 ? "is" : "are");
  }
  if (barrier.bytes == 0) return text;
  const bool too_many = barrier.bytes < 0;
  return fmt::format("{}{}copies have brought {} {} than were announced", text, text.empty() ? "" : ", and ",
                     counted(static_cast<std::uint64_t>(too_many ? -barrier.bytes : barrier.bytes), "byte"),
                     too_many ? "more" : "fewer");
}

/// "copy" of "bulk copy".
std::string_view last_word(std::string_view name) {
  return name.substr(name.rfind(' ') + 1);
}

std::string with_article(const std::string& name) {
  return (name.starts_with('a') ? "an " : "a ") + name;
}

/// "two bulk copies", "a bulk copy and an asynchronous store".
std::string both(const std::string& first, const std::string& second) {
  if (first != second) return fmt::format("{} and {}", with_article(first), with_article(second));
  return first == "bulk copy" ? "two bulk copies" : fmt::format("two {}s", first);
}

}  // namespace

void VerdictWords::memory_barrier_deadlock(Finding& f) {
  const BarrierInMemory& barrier = *s_.in_memory;
  f.id = kBarrierDivergence;
  const auto range = names_.nearest(s_.space, s_.address);
  const std::string name = range ? name_of(s_.space, *range) : std::string("shared memory");
  f.message = "deadlock: threads wait at a barrier in shared memory, and its phase cannot end";
  waiting(f);
  f.note = fmt::format("at {}: {}{}{}", name, what_is_missing(barrier), f.note.empty() ? "" : "; ", f.note);
  if (barrier.bytes != 0) {
    f.help =
        "announce as many bytes (`expect_tx`, `barrier_arrive_tx`) as the copies of the phase bring, no more and no "
        "fewer, and let each of them name this barrier";
  } else if (barrier.missing == barrier.expected) {
    f.help =
        "nobody has arrived in this phase: check the token, or the parity, that the wait is given (0 for the first "
        "phase, 1 for the next one), and that threads arrive as often as others wait";
  } else {
    f.help = "let as many threads arrive in each phase as the barrier was initialised with, on every way to the wait";
  }
}

std::string VerdictWords::copy_name(const Party& copy) const {
  const ptx::Opcode opcode = copy.instruction ? names_.opcode(*copy.instruction) : ptx::Opcode::unknown;
  if (opcode == ptx::Opcode::st) return "asynchronous store";
  return opcode == ptx::Opcode::red ? "asynchronous reduction" : "bulk copy";
}

/// How to wait for one to shared memory.
std::string VerdictWords::copy_wait_help(const Party& copy) const {
  return fmt::format(
      "let every thread that uses the data wait first, at the barrier that the {} tells and for the phase that its "
      "bytes were announced in (`bar.wait(token)`, `mbarrier_try_wait_parity`)",
      last_word(copy_name(copy)));
}

/// Of the two sides, `at` is the thread's. Where their order is not known, it is that of their lines.
void VerdictWords::bulk_race(Finding& f) {
  const bool shared = s_.space == MemorySpace::shared, writes = s_.other->access != AccessKind::load;
  f.id = shared ? kSharedRace : kGlobalRace;
  f.address = s_.address;
  f.note = names_.nearest(s_.space, s_.address) ? "at " + owned_text() : std::string();
  const std::string name = copy_name(*s_.other);
  f.other =
      OtherPlace{fmt::format("the {} begins here", name), other_, coordinates(s_.other->thread.block, config_.grid),
                 coordinates(s_.other->thread.thread, config_.block)};
  const std::string memory = shared ? "shared memory" : "global memory";
  if (s_.way_of_copy == CopyRace::two_copies) {
    f.message = fmt::format("{} use the same {}, and nothing orders them", both(copy_name(s_.at), name), memory);
    f.help =
        "begin the second one when the first one is done: wait at its barrier, or with `cp_async_bulk_wait_group`; "
        "check the addresses and the sizes of both";
    return;
  }
  const bool later = where_.known() && other_.known() && where_.file == other_.file && where_.line > other_.line;
  if (s_.way_of_copy == CopyRace::unordered && !later) return bulk_begins_early(f);
  if (!writes) return bulk_overwritten(f);
  f.message = fmt::format("this {} of {} does not wait for {} that writes there", verb(s_.at.access), memory,
                          with_article(name));
  f.help = shared ? copy_wait_help(*s_.other)
                  : std::string(
                        "let the thread that began the copy wait for it (`cp_async_bulk_wait_group`, not `_read`), "
                        "and others at a barrier after that");
}

/// The copy is to blame.
void VerdictWords::bulk_begins_early(Finding& f) const {
  const bool shared = s_.space == MemorySpace::shared, writes = s_.other->access != AccessKind::load;
  const bool read = s_.at.access == AccessKind::load;
  f.where = other_;
  std::swap(f.block, f.other->block);
  std::swap(f.thread, f.other->thread);
  f.other->place = where_;
  f.other->label = fmt::format("the {} is here", verb(s_.at.access));
  f.message = fmt::format("this {} begins to {} {} memory that other threads may still {}", copy_name(*s_.other),
                          writes ? "write" : "read", shared ? "shared" : "global", read ? "read" : "write");
  f.help = shared
               ? "let all threads that use the memory arrive at a barrier (`__syncthreads()`, or one in memory) after "
                 "their last access, and begin the copy behind it"
               : "let each element be used by one block, or begin the copy in a later launch";
}

void VerdictWords::bulk_overwritten(Finding& f) const {
  const bool shared = s_.space == MemorySpace::shared;
  if (shared) f.id = kOverwrittenSource;
  f.message = fmt::format("this {} changes {} memory that a bulk copy may not have read yet", verb(s_.at.access),
                          shared ? "shared" : "global");
  f.help = shared
               ? "after the copy let the thread that began it call `cp_async_bulk_commit_group` and "
                 "`cp_async_bulk_wait_group_read<0>`, then all threads meet at `__syncthreads()`, before the memory is "
                 "written again; a thread waits for its own copies only"
               : "let the write come after a wait at the barrier that the copy tells";
}

void VerdictWords::bulk_unfenced(Finding& f) {
  f.id = kUnfencedCopy;
  f.address = s_.address;
  f.message = "this bulk copy may not see what threads have stored in the shared memory that it reads";
  f.note = fmt::format(
      "at {}; it reads by the asynchronous proxy, and no `fence.proxy.async` comes after the {} and before the copy",
      owned_text(), s_.other->access == AccessKind::atomic ? "update" : "store");
  f.other = OtherPlace{fmt::format("the {} is here", s_.other->access == AccessKind::atomic ? "update" : "store"),
                       other_, coordinates(s_.other->thread.block, config_.grid),
                       coordinates(s_.other->thread.thread, config_.block)};
  const bool one_file = where_.known() && other_.known() && where_.file == other_.file;
  f.help = fmt::format(
      "let each thread that has stored call `cuda::ptx::fence_proxy_async(cuda::ptx::space_shared)`{}, before the "
      "barrier that the copy comes after",
      one_file ? fmt::format(" after line {}", other_.line) : std::string(" after its stores"));
}

void VerdictWords::bulk_unfinished(Finding& f) {
  const bool reads = s_.at.access == AccessKind::load;
  f.id = kUnfinishedCopy;
  f.address = s_.address;
  f.message = fmt::format("the block ends while this {} may still {} its shared memory", copy_name(s_.at),
                          reads ? "read" : "write");
  f.note =
      fmt::format("{} from {} on; the memory is then another block's", counted(s_.bytes, "byte"), range_of_first());
  f.help = reads ? "let the thread that began the copy call `cp_async_bulk_commit_group` and then "
                   "`cp_async_bulk_wait_group_read<0>` before it ends"
                 : fmt::format("let a thread wait at the barrier that the {} tells before the block ends",
                               last_word(copy_name(s_.at)));
}

std::string VerdictWords::range_of_first() const {
  const auto range = names_.nearest(s_.space, s_.address);
  return range ? range_text(s_.space, *range, s_.address, 0) : std::string("shared memory");
}

void VerdictWords::bulk_size(Finding& f) {
  f.id = kMisalignedAccess;
  f.message = fmt::format("a bulk copy of {}, which is no multiple of 16", counted(s_.bytes, "byte"));
  f.note = fmt::format("a GPU copies {}, and a barrier that expects {} waits without end",
                       counted(s_.bytes / 16 * 16, "byte"), s_.bytes);
  f.help = "round the size up or down to a multiple of 16, and copy what is left by ordinary loads and stores";
}

}  // namespace cudalabs::vgpu
