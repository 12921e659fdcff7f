// Why a program needs a change that makes it pass.
#pragma once

#include <string>
#include <string_view>

#include "patch/patch.h"

namespace cudalabs::patch {

/// In half a sentence, where the place of the change tells it: "the width of `cudaMemcpy2D` counts bytes". Empty: it
/// does not. `code` is the text that is changed.
std::string reason_of(std::string_view code, const Patch& patch);

}  // namespace cudalabs::patch
