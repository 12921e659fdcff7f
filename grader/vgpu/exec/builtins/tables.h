// The groups of builtin functions.
#pragma once

#include <string_view>

#include "vgpu/exec/builtins/builtins.h"

namespace cudalabs::vgpu::exec {

/// Floating-point mathematics.
const Builtin* find_libdevice(std::string_view name);
/// Integers, conversions and arithmetic with a rounding mode: what compilers usually have inlined already.
const Builtin* find_libdevice_arithmetic(std::string_view name);
/// printf, assert, malloc, free.
const Builtin* find_system_function(std::string_view name);

}  // namespace cudalabs::vgpu::exec
