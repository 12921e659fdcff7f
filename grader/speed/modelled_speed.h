// A speed where there is no GPU: from what the virtual one counts of a sample of the blocks.
#pragma once

#include <filesystem>

#include "build/builder.h"
#include "lab/program_data.h"
#include "lab/speed_test.h"
#include "run/run.h"
#include "speed/speed_result.h"

namespace cudalabs::speed {

/// Models one of a lab's speed tests on the named GPU of its program. `runner` is the fast build for the virtual GPU of
/// `source`; the baseline is built with `toolchain`. Both run in `host`. What the submission's run takes is charged to
/// `budget`; one that uses it up earns nothing, and `finding` says so. `unknown` where the model cannot tell. Throws
/// std::runtime_error when the grader's own part fails.
SpeedResult modelled_speed(const Program& program, const SpeedTest& test, const std::filesystem::path& runner,
                           const std::filesystem::path& source, const Toolchain& toolchain, sandbox::Budget* budget,
                           runner::DeviceHost& host);

}  // namespace cudalabs::speed
