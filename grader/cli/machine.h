// What this machine offers for a choice on the command line.
#pragma once

#include "build/builder.h"
#include "cli/options.h"

namespace cudalabs {

/// Throws UsageError when the choice cannot be met here.
Device choose_device(DeviceChoice choice);

/// Throws UsageError when the front end asked for is not installed, std::runtime_error when none is.
Toolchain choose_toolchain(FrontendChoice choice, Device device);

}  // namespace cudalabs
