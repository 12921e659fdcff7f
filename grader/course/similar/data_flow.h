// PTX as a graph of what is computed from what, and the neighbourhoods in that graph.
#pragma once

#include <string_view>

#include "course/similar/feature.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::similar {

/// How far a neighbourhood reaches: an instruction with what its operands are made of, up to so many steps back.
constexpr unsigned kShortestReach = 1, kLongestReach = 3;

/// Of every instruction of the kernels, and of the functions that they call, one feature for each reach. They do not
/// depend on the names of registers, labels, parameters and functions, on the order of instructions that do not need
/// each other, on the order of the operands of a sum or a product, nor on copies from register to register.
/// `source`: the submission's file name; lines of other files are unknown ones.
Features neighbourhoods(const vgpu::ptx::Module& module, std::string_view source);

}  // namespace cudalabs::similar
