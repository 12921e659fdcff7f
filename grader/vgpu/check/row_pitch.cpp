// Looks at the bytes that were written, and at the lanes of one warp.
#include "vgpu/check/row_pitch.h"

#include <algorithm>

namespace cudalabs::vgpu {
namespace {

/// Bytes between the rows of threads, by y, that one warp reads at; none where it is of one row, or they differ.
std::optional<std::uint64_t> read_pitch(const WarpAccess& read, const Index3& block) {
  std::optional<std::uint64_t> pitch;
  for (std::uint32_t lane = 0; lane + block[0] < kWarpSize; ++lane) {
    const std::uint32_t next = lane + block[0];
    if ((read.active >> lane & 1) == 0 || (read.active >> next & 1) == 0) continue;
    const std::uint64_t step = read.address[next] - read.address[lane];
    if (pitch && *pitch != step) return std::nullopt;
    pitch = step;
  }
  return pitch;
}

struct Gap {
  std::uint64_t begin = 0, end = 0;
};

/// The gap that holds the byte at `at`, or the next one behind it; empty at the end of memory.
Gap gap_at(std::uint64_t at, std::span<const std::uint8_t> written) {
  while (at < written.size() && written[at] != 0) ++at;
  Gap gap{at, at};
  while (gap.begin > 0 && gap.begin <= written.size() && written[gap.begin - 1] == 0) --gap.begin;
  while (gap.end < written.size() && written[gap.end] == 0) ++gap.end;
  return gap;
}

}  // namespace

std::optional<RowPitches> different_pitches(const WarpAccess& read, std::uint64_t address, const Index3& block,
                                            std::span<const std::uint8_t> written) {
  const auto by_rows = read_pitch(read, block);
  if (!by_rows || address >= written.size() || block[2] != 1) return std::nullopt;
  const Gap first = gap_at(address, written), second = gap_at(first.end, written), third = gap_at(second.end, written);
  const std::uint64_t width = first.end - first.begin, pitch = second.begin - first.begin;
  const bool regular = third.begin - second.begin == pitch && second.end - second.begin == width &&
                       third.end - third.begin == width && width > 0 && third.end < written.size();
  if (!regular || pitch != *by_rows + width || *by_rows == 0) return std::nullopt;
  return RowPitches{static_cast<std::uint32_t>(pitch), static_cast<std::uint32_t>(*by_rows)};
}

}  // namespace cudalabs::vgpu
