// Changes of a program that leave its host code as it is.
#pragma once

#include <string_view>

#include "patch/patch.h"

namespace cudalabs::patch {

/// Whether the change lies in the body of a kernel, or of another function that only the device has, outermost. False
/// where that is not told for certain.
bool changes_device_code_only(std::string_view code, const Patch& patch);

}  // namespace cudalabs::patch
