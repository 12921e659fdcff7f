#include "sandbox/job_processes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "sandbox/descendants.h"
#include "sandbox/give_up_rights.h"

namespace cudalabs::sandbox {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Sends SIGKILL to everything the job could have started.
void kill_rest(const InitOptions& options) {
  if (options.first_process) {
    ::kill(-1, SIGKILL);
  } else if (options.user >= 0) {
    const pid_t killer = fork();
    if (killer == 0) {
      if (become(options.user)) ::kill(-1, SIGKILL);
      _exit(0);
    }
    if (killer > 0) waitpid(killer, nullptr, 0);
  } else {
    kill_descendants(getpid());
  }
}

}  // namespace

void account(InitReport& report, const rusage& usage) {
  const double cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  report.cpu_seconds += cpu;
  report.largest_cpu_seconds = std::max(report.largest_cpu_seconds, cpu);
  report.peak_bytes = std::max(report.peak_bytes, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
}

bool reap(InitReport& report, pid_t job) {
  bool over = false;
  int status = 0;
  rusage usage{};
  for (;;) {
    const pid_t who = wait4(-1, &status, WNOHANG | __WALL, &usage);
    if (who <= 0) return over;
    account(report, usage);
    if (who == job) {
      report.wait_status = status;
      over = true;
    }
  }
}

std::uint32_t clear_rest(const InitOptions& options, InitReport& report) {
  std::uint32_t count = 0;
  for (;;) {
    kill_rest(options);
    int status = 0;
    rusage usage{};
    const pid_t who = wait4(-1, &status, __WALL, &usage);
    if (who < 0 && errno == EINTR) continue;
    if (who < 0) return count;
    account(report, usage);
    ++count;
  }
}

}  // namespace cudalabs::sandbox
