// A program started by posix_spawn, with the descriptors that it is given and no signal blocked or handled.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace cudalabs::sandbox {

class SpawnActions {
 public:
  SpawnActions();
  ~SpawnActions();
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  /// The child has `from` as `to`.
  void place(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  /// The same number here and there: loses its close-on-exec flag in the child.
  void pass(int descriptor) { place(descriptor, descriptor); }
  /// Starts the program words[0] with these arguments and variables. Throws SandboxError.
  pid_t start(const std::vector<std::string>& words, const std::vector<std::string>& environment);

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace cudalabs::sandbox
