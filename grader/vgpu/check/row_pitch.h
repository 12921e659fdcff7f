// Rows of an array in shared memory: how far apart they are written, and how far apart they are read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// Rows that are written with a gap behind each, and read as if there was none. In bytes.
struct RowPitches {
  std::uint32_t written = 0, read = 0;

  auto operator<=>(const RowPitches&) const = default;
};

/// Of a read of what nothing has written, which begins in such a gap. `written`: a byte for each of shared memory, 0
/// where it was not written. Answers only where several gaps of one width follow each other at one distance, the rows
/// of threads in the warp read at another distance, and the rows between the gaps are just as long as that.
std::optional<RowPitches> different_pitches(const WarpAccess& read, std::uint64_t address, const Index3& block,
                                            std::span<const std::uint8_t> written);

}  // namespace cudalabs::vgpu
