// The word in memory that an `mbarrier` is. PTX leaves its layout open (PTX ISA, "mbarrier").
#pragma once

#include <algorithm>
#include <cstdint>

namespace cudalabs::vgpu::exec::barrier_word {

/// From the lowest bit on: how many arrivals a phase takes, how many of this phase's are still to come, how many bytes
/// of copies are (fewer than none where copies have brought more than was announced so far), and the phase's number,
/// whose lowest bit is its parity. Of the number three bits are kept: nobody may ask for any but the last two phases.
constexpr std::uint32_t kCountBits = 20, kBytesBits = 21, kPhaseBits = 3;
constexpr std::uint32_t kPendingShift = kCountBits, kBytesShift = 2 * kCountBits;
constexpr std::uint32_t kPhaseShift = kBytesShift + kBytesBits;
static_assert(kPhaseShift + kPhaseBits == 64);
constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;
constexpr std::uint64_t kBytesMask = (std::uint64_t{1} << kBytesBits) - 1;

struct Parts {
  std::uint64_t expected = 0, pending = 0;
  std::int64_t bytes = 0;
  std::uint64_t phase = 0;
};

constexpr Parts parts_of(std::uint64_t word) {
  const std::uint64_t bytes = word >> kBytesShift & kBytesMask;
  const bool negative = (bytes >> (kBytesBits - 1) & 1) != 0;
  return {word & kCountMask, word >> kPendingShift & kCountMask,
          static_cast<std::int64_t>(bytes) - (negative ? std::int64_t{1} << kBytesBits : 0), word >> kPhaseShift};
}

/// The phase is over, and the next one begins, when nothing is to come any more.
constexpr std::uint64_t word_of(Parts parts) {
  if (parts.pending == 0 && parts.bytes == 0) {
    ++parts.phase;
    parts.pending = parts.expected;
  }
  return parts.phase << kPhaseShift | (static_cast<std::uint64_t>(parts.bytes) & kBytesMask) << kBytesShift |
         parts.pending << kPendingShift | parts.expected;
}

/// After `count` threads have arrived, and `bytes` more were announced before.
constexpr std::uint64_t arrived(std::uint64_t word, std::uint64_t count, std::uint64_t bytes = 0) {
  Parts parts = parts_of(word);
  parts.bytes += static_cast<std::int64_t>(bytes);
  parts.pending -= std::min(parts.pending, count);
  return word_of(parts);
}

/// The same, and the later phases take `count` arrivals fewer.
constexpr std::uint64_t dropped(std::uint64_t word, std::uint64_t count, std::uint64_t bytes = 0) {
  const std::uint64_t expected = word & kCountMask;
  return arrived((word & ~kCountMask) | (expected - std::min(expected, count)), count, bytes);
}

/// After so many more bytes were announced (`expect_tx`).
constexpr std::uint64_t announced(std::uint64_t word, std::uint64_t bytes) {
  return arrived(word, 0, bytes);
}

/// After so many bytes have come (`complete_tx`).
constexpr std::uint64_t brought(std::uint64_t word, std::uint64_t bytes) {
  Parts parts = parts_of(word);
  parts.bytes -= static_cast<std::int64_t>(bytes);
  return word_of(parts);
}

}  // namespace cudalabs::vgpu::exec::barrier_word
