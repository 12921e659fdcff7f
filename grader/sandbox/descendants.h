// Kills a whole process tree where neither a namespace nor a user of its own bounds it.
#pragma once

#include <sys/types.h>

namespace cudalabs::sandbox {

/// Stops every descendant of `ancestor` until no running one is found, then sends them all SIGKILL. The caller is their
/// subreaper, so a process whose parent died is still found.
void kill_descendants(pid_t ancestor);

}  // namespace cudalabs::sandbox
