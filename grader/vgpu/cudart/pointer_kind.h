// What the pointers are that a call gets: of calls that are refused for them.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

enum class PointerKind : std::uint8_t {
  unsaid,  // the call has none, or was not refused for it
  null,
  host,    // no memory of the device
  device,  // an allocation, or a variable of the device
  stray    // an address of the device at which nothing is allocated
};
inline constexpr std::uint8_t kPointerKinds = 5;

/// Of a copy the target and the source, and the direction that the program gave it.
struct CallPointers {
  PointerKind first = PointerKind::unsaid, second = PointerKind::unsaid;
  std::uint8_t direction = 0;  // 0: it is no copy; else cudaMemcpyKind + 1
  std::uint8_t reserved = 0;

  bool operator==(const CallPointers&) const = default;
};
inline constexpr std::uint8_t kDirections = 6;

}  // namespace cudalabs::vgpu
