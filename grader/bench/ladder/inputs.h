// Random inputs, made on the device: fresh for every round, of two kinds.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudalabs::ladder {

/// `real`: uniform in [-1, 1), all 24 bits in use, so that a shorter format shows. `whole`: whole numbers from -8 to 8,
/// whose sums stay below 2^24 here and are therefore exact in every order: one value lost or used twice shows.
enum class Values : std::uint8_t { real, whole };

/// Fills `count` values; the same seed gives the same values.
void fill(float* values, std::size_t count, Values kind, std::uint64_t seed);

/// Writes `count` values of `from` to `to` as doubles, squared if asked.
void widen(double* to, const float* from, std::size_t count, bool squared);

/// Reads `count` values, so that what is in the L2 cache afterwards is neither an input nor an output, and is clean:
/// a cache full of unwritten lines would have to write them during the timed run.
void read_all(const float* values, std::size_t count);

}  // namespace cudalabs::ladder
