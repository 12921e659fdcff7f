// How a handler that is compiled once gives each lane its value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/micro_op.h"

namespace cudalabs::vgpu::exec {

/// Lane l of the row at `offset` becomes value(l), for the lanes in the mask. `value` may read the row.
template <class T, class Value>
inline void set_lanes(std::byte* registers, std::uint32_t offset, LaneMask mask, Value value) {
  T* row = reinterpret_cast<T*>(registers + offset);
  if (mask != kAllLanes) {
    for (const std::uint32_t lane : each_lane(mask)) row[lane] = static_cast<T>(value(lane));
    return;
  }
  // Computed aside, where nothing that `value` reads could change meanwhile: a loop of vectors.
  T values[kWarpSize];
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) values[lane] = static_cast<T>(value(lane));
  std::memcpy(row, values, sizeof values);
}

}  // namespace cudalabs::vgpu::exec
