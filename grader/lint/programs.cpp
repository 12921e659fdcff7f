// Programs that lint starts, and what they leave behind.
#include "lint/programs.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <system_error>

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

/// The programs that run at the moment. Whatever else is a child of this process was left behind by one that has ended.
class Running {
 public:
  /// Starts one, so that nobody takes it for left behind.
  template <typename Start>
  pid_t start(const Start& start) {
    const std::lock_guard lock(mutex_);
    const pid_t process = start();
    processes_.insert(process);
    return process;
  }
  int wait_for(pid_t process) {
    siginfo_t ended{};
    while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
    const std::lock_guard lock(mutex_);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    processes_.erase(process);
    return status;
  }
  /// Kills what was left behind, and counts it.
  unsigned clear_left() {
    const std::lock_guard lock(mutex_);
    unsigned count = 0;
    for (const pid_t child : children()) {
      if (processes_.contains(child)) continue;
      siginfo_t ended{};
      const bool dead =
          waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT | WNOHANG) == 0 && ended.si_pid == child;
      count += dead ? 0 : 1;
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    return count;
  }

 private:
  static std::vector<pid_t> children() {
    std::vector<pid_t> found;
    for (const fs::directory_entry& task : fs::directory_iterator("/proc/self/task")) {
      std::ifstream stream(task.path() / "children");
      for (pid_t child = 0; stream >> child;) found.push_back(child);
    }
    return found;
  }

  std::mutex mutex_;
  std::set<pid_t> processes_;
};

Running& running() {
  static Running programs;
  return programs;
}

}  // namespace

void adopt_what_is_left() {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int run_quietly(std::vector<std::string> words, std::vector<std::string> environment, const fs::path& said,
                const fs::path& complaints) {
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  };
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int error = 0;
  const pid_t child = running().start([&] {
    pid_t process = -1;
    error = posix_spawn(&process, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                        pointers(environment).data());
    return process;
  });
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), words[0]);
  const int status = running().wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

unsigned clear_left() {
  return running().clear_left();
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace cudalabs::lint
