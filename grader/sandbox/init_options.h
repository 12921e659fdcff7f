// What the sandbox's init is told on its command line, which command.cpp writes.
#pragma once

#include <sys/resource.h>

#include <utility>
#include <vector>

namespace cudalabs::sandbox {

struct AllowedPath {
  const char* path;
  bool writable;
};

struct InitOptions {
  std::vector<int> join;                       // cgroup.procs files to enter
  std::vector<int> keep;                       // descriptors that stay open in `enter`
  int user = -1;                               // uid and gid to become
  int status = -1, control = -1, filter = -1;  // descriptors of `guard`
  const char* root = nullptr;                  // folder to start in
  std::vector<AllowedPath> allowed;            // Landlock paths; none: no Landlock
  std::vector<std::pair<int, rlim_t>> limits;
  std::vector<std::pair<int, int>> descriptors;  // number in the job, number here
  bool first_process = false;                    // pid 1 of its own namespace: it ends with us
  bool new_session = false;
  char** command = nullptr;
};

/// Of `sandbox-init MODE OPTION... -- COMMAND...`. The arguments come from the supervisor alone; a malformed one is a
/// bug there, and ends the process.
InitOptions read_options(int count, char** arguments);

/// Ends the process: says what it could not do, and errno.
[[noreturn]] void give_up(const char* step);

}  // namespace cudalabs::sandbox
