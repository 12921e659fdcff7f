// Accesses in a function that gets the element by reference: the kernel says what is read.
#pragma once

#include <string>
#include <string_view>

#include "vgpu/finding.h"

namespace cudalabs {

/// Of an access in a function that `kernel` calls in one place: that place, at the argument that is read or stored
/// through a pointer, "*reinterpret_cast<const float4*>(p)". Not known where the function takes pointers itself, or
/// where the text does not tell. `code` has no comments.
SourcePlace argument_of_access(std::string_view code, const SourcePlace& access, const std::string& kernel);

}  // namespace cudalabs
