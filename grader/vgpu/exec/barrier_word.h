// The word in memory that an `mbarrier` is. PTX leaves its layout open (PTX ISA, "mbarrier").
#pragma once

#include <algorithm>
#include <cstdint>

namespace cudalabs::vgpu::exec::barrier_word {

/// From the lowest bit on: how many arrivals a phase takes, how many of this phase's are still to come, and the phase's
/// number, whose lowest bit is its parity.
constexpr std::uint32_t kCountBits = 21;
constexpr std::uint32_t kPendingShift = kCountBits, kPhaseShift = 2 * kCountBits;
constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;

/// After `count` threads have arrived. The last one begins the next phase.
constexpr std::uint64_t arrived(std::uint64_t word, std::uint64_t count) {
  const std::uint64_t expected = word & kCountMask, pending = word >> kPendingShift & kCountMask;
  std::uint64_t phase = word >> kPhaseShift, left = pending - std::min(pending, count);
  if (left == 0) {
    ++phase;
    left = expected;
  }
  return phase << kPhaseShift | left << kPendingShift | expected;
}

/// The same, and the later phases take `count` arrivals fewer.
constexpr std::uint64_t dropped(std::uint64_t word, std::uint64_t count) {
  const std::uint64_t expected = word & kCountMask;
  return arrived((word & ~kCountMask) | (expected - std::min(expected, count)), count);
}

}  // namespace cudalabs::vgpu::exec::barrier_word
