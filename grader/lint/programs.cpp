// Processes that lint starts, and what they leave behind.
#include "lint/programs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <system_error>

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

/// The processes that run at the moment. Whatever else is a child of this process was left behind by one that has
/// ended.
class Running {
 public:
  /// Starts one, so that nobody takes it for left behind.
  template <typename Start>
  pid_t start(const Start& start) {
    const std::lock_guard lock(mutex_);
    const pid_t process = start();
    if (process > 0) processes_.insert(process);
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

void redirect(const char* file, int flags, int to) {
  const int from = open(file, flags | O_CLOEXEC, 0600);
  if (from < 0 || dup2(from, to) < 0) throw std::system_error(errno, std::generic_category(), file);
  close(from);
}

/// The exit code of the process that does the work.
int as_child(const std::function<int()>& work, const std::map<std::string, std::string>& environment,
             const fs::path& said, const fs::path& complaints) {
  constexpr int kBroke = 3;
  int code = kBroke;
  try {
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    code = work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fflush(nullptr);
  return code;
}

}  // namespace

void adopt_what_is_left() {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int run_apart(const std::function<int()>& work, const std::map<std::string, std::string>& environment,
              const fs::path& said, const fs::path& complaints) {
  const pid_t child = running().start([&] {
    const pid_t process = fork();
    if (process == 0) _exit(as_child(work, environment, said, complaints));
    return process;
  });
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  const int status = running().wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

unsigned clear_left() {
  return running().clear_left();
}

}  // namespace cudalabs::lint
