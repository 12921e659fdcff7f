// Loads that only copy. An object that is copied as a whole may have padding, which nobody writes.
#pragma once

#include <cstdint>
#include <map>

#include "vgpu/analysis/value_flow.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// Plain loads of shared and global memory whose value goes nowhere but into stores, or is made a smaller integer, as
/// these lie in the text. By load: the bytes, at a multiple of as many, of which some may be padding where others were
/// written. That is its own width, and 8 where it is at least as wide, or where other such loads are of the same place
/// of the source: they copy one object.
std::map<CodePlace, std::uint32_t> object_copies(const ptx::Module& module);

}  // namespace cudalabs::vgpu
