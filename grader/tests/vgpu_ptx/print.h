// A parsed module back to PTX text, so that parsing can be checked by parsing again.
#pragma once

#include <string>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// PTX text that means the same as `module`: parsing and printing it again gives the same text. Debug sections, pragmas
/// and tuning directives other than .maxntid are not in a module, so they are not in the text either.
std::string print(const Module& module);

}  // namespace cudalabs::vgpu::ptx
