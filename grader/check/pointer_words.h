// What is wrong with the pointers of a runtime call that was refused for them.
#pragma once

#include <string_view>

#include "run/run.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// Rewords `finding`, of `call`. `error`: what it returned, as text.
void name_pointers(Finding& finding, const WatchedCall& call, const vgpu::CallPointers& pointers,
                   std::string_view error);

}  // namespace cudalabs
