// The child of the sandbox's init, from fork to the job's own program.
#pragma once

#include <linux/filter.h>

#include <vector>

#include "sandbox/init_options.h"

namespace cudalabs::sandbox {

/// What the child tells when it cannot become the job.
struct StartFailure {
  int error;
  bool executing;
  char step[48];
};

/// Gives up whatever the job must not have and executes its program. Else writes a StartFailure into `channel`, which
/// closes when the program is executed, and ends the process.
[[noreturn]] void become_job(const InitOptions& options, const std::vector<sock_filter>& filter, int channel);

}  // namespace cudalabs::sandbox
