// The start of a job: places it into its tier, with the sandbox's init between it and its supervisor.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>

#include "sandbox/control_group.h"
#include "sandbox/fd.h"
#include "sandbox/job_folder.h"
#include "sandbox/sandbox.h"
#include "sandbox/user_slot.h"

namespace cudalabs::sandbox {

/// What its supervisor has of a job that runs. None of the descriptors blocks.
struct StartedJob {
  std::optional<UserSlot> slot;
  std::unique_ptr<ControlGroups> groups;
  std::unique_ptr<JobFolder> folder;  // in the tiers without bubblewrap
  Fd output, errors;                  // what the job prints on stdout and on stderr
  Fd complaints;                      // what bubblewrap and the sandbox's init print
  Fd status;                          // gives an InitReport
  Fd control;                         // the sandbox's init ends the job when this is closed
  Fd exited;                          // readable once the outermost process has ended
  pid_t outermost = -1;
  Process::Clock::time_point started;
};

/// Starts it; lifts its descriptors to numbers above 2. Throws SandboxError when a file of the job would lie where it
/// must not, or the machine fails; std::system_error likewise.
StartedJob start_job(Job& job);

}  // namespace cudalabs::sandbox
