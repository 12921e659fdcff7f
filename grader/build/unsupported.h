// Build errors about what CUDA has and the grader does not offer.
#pragma once

#include <string_view>

#include "vgpu/finding.h"

namespace cudalabs::builder {

/// Whether a name is one of CUDA's host interfaces or libraries: "cudaGraphLaunch", "cuInit", "CUdevice",
/// "cublasSgemm".
bool is_name_of_cuda(std::string_view name);

/// A compiler's error about a header, a name or a launch in device code that CUDA has and the grader does not offer
/// becomes an "unsupported-call" finding that says what to use; the compiler's words are its note. Others stay.
void explain_unsupported(Finding& finding);

/// The finding for a function of CUDA's that the program calls and the grader's runtime does not have.
Finding unsupported_function(std::string_view name, const SourcePlace& where);

}  // namespace cudalabs::builder
