// The groups of builtin functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "vgpu/exec/builtins/builtins.h"

namespace cudalabs::vgpu::exec {

using BuiltinTable = std::map<std::string, Builtin, std::less<>>;

/// Floating-point mathematics.
const BuiltinTable& libdevice_mathematics();
/// Integers, conversions and arithmetic with a rounding mode: what compilers usually have inlined already.
const BuiltinTable& libdevice_arithmetic();
/// The CUDA runtime in device code.
const BuiltinTable& device_runtime();
/// printf, assert, malloc, free; null: none of them.
const Builtin* find_system_function(std::string_view name);

}  // namespace cudalabs::vgpu::exec
