// Places in a function's own text for what compilers place in headers, or nowhere.
#pragma once

#include "vgpu/ptx/debug_entries.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// Unoptimised code of nvcc has what was inlined at the lines of its header, and no `inlined_at`. What is of a
/// library's header gets the place of the innermost call outside of such, as parse() does it for what has `inlined_at`.
/// Where all of them are in libraries, it gets that of the innermost call in the file of the outermost.
void place_inlined(Module& module, const DebugEntries& entries);

/// What findings are about has, where the compiler gives it line 0, the place of the last instruction before it in the
/// function that has one.
void place_without_line(Module& module);

}  // namespace cudalabs::vgpu::ptx
