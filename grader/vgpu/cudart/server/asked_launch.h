// A launch as a program asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/cudart/server_report.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

struct AskedLaunch {
  std::string kernel;  // mangled
  LaunchConfig config;
  std::vector<std::byte> parameters;
  CallOrigin origin;
};

/// What is executed in the place of a launch of the same kernel.
struct LaunchChange {
  std::uint64_t number = 0;  // of the launch among those of the session, from 1 on
  LaunchConfig config;
  std::vector<std::byte> parameters;  // as many as the launch has
};

}  // namespace cudalabs::vgpu
