// A variable of the device that a launch began with as an earlier launch had left it.
#pragma once

#include <cstdint>
#include <string>

namespace cudalabs::vgpu {

struct KeptVariable {
  static constexpr std::uint32_t kMost = 64;  // that are watched

  std::string name;             // as in the source
  std::uint32_t number = 0;     // among those that are watched
  std::string kernel;           // that was launched, demangled
  std::string value, at_first;  // when this launch began, and when the module was loaded

  bool operator==(const KeptVariable&) const = default;
};

}  // namespace cudalabs::vgpu
