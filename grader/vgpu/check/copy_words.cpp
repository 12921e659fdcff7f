// Message, note and help of waits at barriers in memory and of bulk copies.
#include <fmt/format.h>

#include <string>

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

}  // namespace cudalabs::vgpu
