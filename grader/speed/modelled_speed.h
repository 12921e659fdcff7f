// A speed where there is no GPU: from what the virtual one counts of a sample of the blocks.
#pragma once

#include <filesystem>

#include "build/builder.h"
#include "lab/program_data.h"
#include "lab/speed_test.h"
#include "run/run.h"
#include "speed/speed_result.h"

namespace cudalabs::speed {

/// What is built for the virtual GPU.
struct Executable {
  std::filesystem::path runner;
  std::filesystem::path device_code;  // as in RunRequest
  std::filesystem::path source;       // to name it in findings
};

/// Models one of a lab's speed tests on the named GPU of its program. `fast` is the submission with full optimisation;
/// the baseline is built with `toolchain`. Both run in `host`. What the submission's run takes is charged to
/// `budget`; one that uses it up earns nothing, and `finding` says so. `unknown` where the model cannot tell. Throws
/// std::runtime_error when the grader's own part fails.
SpeedResult modelled_speed(const Program& program, const SpeedTest& test, const Executable& fast,
                           const Toolchain& toolchain, sandbox::Budget* budget, runner::DeviceHost& host);

}  // namespace cudalabs::speed
