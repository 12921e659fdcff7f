// A condition that differs from thread to thread and decides whether a thread comes to an access.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

/// As ThreadGuard, by the program's number of the instruction.
struct AccessGuard {
  std::uint32_t branch = 0;
  bool ends_loop = false;  // it decides whether a thread leaves a loop that the access is in
  bool in_loop = false;    // some loop has both in it

  bool operator==(const AccessGuard&) const = default;
};

}  // namespace cudalabs::vgpu
