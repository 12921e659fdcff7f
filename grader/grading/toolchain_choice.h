// What this machine offers for the front end and the device that were asked for.
#pragma once

#include <optional>
#include <string>

#include "build/builder.h"
#include "grading/request.h"

namespace cudalabs {

/// The compiler for the virtual GPU. Throws RequestError when the front end asked for is not installed,
/// std::runtime_error when none is.
Toolchain choose_toolchain(FrontendChoice choice);

/// The compiler for this machine's real GPU, when the choice is to use one: asked for, or left open and there. Throws
/// RequestError, naming what is missing, when it was asked for and cannot be used.
std::optional<Toolchain> choose_real_gpu(DeviceChoice choice);

}  // namespace cudalabs
