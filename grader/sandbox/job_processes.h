// The processes of a job, as the sandbox's init sees them: it is the parent of all that have lost theirs.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>

#include "sandbox/init_options.h"
#include "sandbox/init_report.h"

namespace cudalabs::sandbox {

/// Adds what a process has used.
void account(InitReport& report, const rusage& usage);

/// Reaps the processes that have ended. True once the job's first process was among them.
bool reap(InitReport& report, pid_t job);

/// Kills and reaps until no child is left, and counts them.
std::uint32_t clear_rest(const InitOptions& options, InitReport& report);

}  // namespace cudalabs::sandbox
