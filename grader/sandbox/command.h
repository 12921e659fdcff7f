// The command line that puts a job into a tier: bubblewrap's and the sandbox's init's arguments. Pure, so that tests
// can read it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sandbox/sandbox.h"

namespace cudalabs::sandbox {

/// Descriptor numbers, as the started process has them, and what was decided for one job.
struct Placement {
  Tier tier = Tier::bubblewrap;
  std::string init;           // path of the sandbox's init program
  int init_bytes = -1;        // the same, opened: bubblewrap copies it in
  bool warden_shown = false;  // where it is there for everybody, bubblewrap mounts it instead
  bool landlock = true;       // the kernel has it
  int user = -1;              // uid to become; -1: stay
  std::vector<int> join;      // cgroup.procs files
  int hold = -1;              // the user slot's lock
  int status = -1, control = -1, filter = -1;
  std::vector<int> files;                        // in the order of Job::files
  std::vector<std::string> originals;            // of these files; empty: copied from the descriptor
  std::vector<std::pair<int, int>> descriptors;  // number in the job, number now
  std::string folder;                            // the job's root on this machine (tiers without bubblewrap)
  std::uint64_t process_allowance = 0;           // processes that count against the same user but are not the job's
};

std::vector<std::string> command_line(const Job& job, const Placement& placement);

/// The environment of the job: what it asked for, PATH, HOME, TMPDIR and a plain locale.
std::vector<std::pair<std::string, std::string>> job_environment(const Job& job, const Placement& placement);

}  // namespace cudalabs::sandbox
