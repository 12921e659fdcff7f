#include "sandbox/spawn.h"

#include <csignal>
#include <cstring>

#include "sandbox/sandbox.h"

namespace cudalabs::sandbox {

SpawnActions::SpawnActions() {
  posix_spawn_file_actions_init(&actions_);
  posix_spawnattr_init(&attributes_);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setsigdefault(&attributes_, &all);
  posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

SpawnActions::~SpawnActions() {
  posix_spawn_file_actions_destroy(&actions_);
  posix_spawnattr_destroy(&attributes_);
}

pid_t SpawnActions::start(const std::vector<std::string>& words, const std::vector<std::string>& environment) {
  const auto pointers = [](const std::vector<std::string>& strings) {
    std::vector<char*> list;
    list.reserve(strings.size() + 1);
    for (const std::string& each : strings) list.push_back(const_cast<char*>(each.c_str()));
    list.push_back(nullptr);
    return list;
  };
  const std::vector<char*> arguments = pointers(words), variables = pointers(environment);
  pid_t process = -1;
  const int error =
      posix_spawn(&process, words.front().c_str(), &actions_, &attributes_, arguments.data(), variables.data());
  if (error != 0) throw SandboxError("cannot start " + words.front() + ": " + std::strerror(error));
  return process;
}

}  // namespace cudalabs::sandbox
