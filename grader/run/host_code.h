// What a run's report tells of the submission's host code, with its lines.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "run/conversation.h"
#include "run/run.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::runner {

/// Gives lines to what is known by an address only: the calls behind the server's findings, those that `observation` is
/// to tell of, and the place of a crash, which is the innermost one in the submission. `observation` has its end and
/// its outputs; a run that ended in an error because it had reset the device ends in that. `fault`: what the runner
/// said of the instruction that it ended in. Throws what SourceLines throws.
void place_host_code(vgpu::ServerReport& report, Observation& observation, std::optional<Finding>& crash,
                     const std::optional<Received>& fault, const RunRequest& request);

}  // namespace cudalabs::runner
