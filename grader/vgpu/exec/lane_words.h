// Memory of a thread's own as the 32 lanes of a warp have it: words of four bytes, those of all lanes side by side.
// Local memory lies like that, and so do arrays that are passed by value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu::exec {

/// The lane's byte at `offset`. Its next ones, up to the next multiple of four, follow.
inline std::byte* lane_byte(std::byte* words, std::uint64_t offset, std::uint32_t lane) {
  return words + (offset / 4 * kWarpSize + lane) * 4 + offset % 4;
}

/// Copies `bytes` of the lane's, from `offset` on, which is a multiple of their number, or of four.
inline void copy_from_lane(std::byte* words, std::uint64_t offset, std::uint32_t lane, std::uint32_t bytes,
                           std::byte* to) {
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t piece = std::min(bytes - done, 4u);
    std::memcpy(to + done, lane_byte(words, offset + done, lane), piece);
    done += piece;
  }
}

/// The other way round.
inline void copy_to_lane(std::byte* words, std::uint64_t offset, std::uint32_t lane, std::uint32_t bytes,
                         const std::byte* from) {
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t piece = std::min(bytes - done, 4u);
    std::memcpy(lane_byte(words, offset + done, lane), from + done, piece);
    done += piece;
  }
}

}  // namespace cudalabs::vgpu::exec
