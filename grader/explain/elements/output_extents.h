// What each launch stored to an output.
#pragma once

#include <string_view>
#include <vector>

#include "run/run.h"

namespace cudalabs {

/// Of an array of the host: to the one on the device that a single copy brings to it from its beginning. Empty: that is
/// not known, or not of all launches.
std::vector<vgpu::StoreExtent> extents_of(std::string_view output, const Observation& observed);

}  // namespace cudalabs
