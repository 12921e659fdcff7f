// Accesses in a function that gets the element by reference: the kernel says what is read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "source/function_text.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// Where the bracket of its only call is; npos: there is none, or several. `code` has no comments.
std::size_t only_call_of(std::string_view code, const FunctionBody& function);

/// Of an access in a function that `kernel` calls in one place: that place, at the argument that is read or stored
/// through a pointer, "*reinterpret_cast<const float4*>(p)". Not known where the function takes pointers itself, or
/// where the text does not tell. `code` has no comments.
SourcePlace argument_of_access(std::string_view code, const SourcePlace& access, const std::string& kernel);

}  // namespace cudalabs
