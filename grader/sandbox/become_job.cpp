#include "sandbox/become_job.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "sandbox/give_up_rights.h"
#include "sandbox/init_report.h"
#include "sandbox/landlock.h"

namespace cudalabs::sandbox {
namespace {

constexpr int kMostAttempts = 2000;  // to execute a file that another process has open for writing
constexpr useconds_t kPauseMicroseconds = 1000;

[[noreturn]] void fail_start(int channel, const char* step, bool executing = false) {
  StartFailure failure{errno, executing, {}};
  std::snprintf(failure.step, sizeof failure.step, "%s", step);
  if (write(channel, &failure, sizeof failure) < 0) _exit(kInitFailed);
  _exit(kInitFailed);
}

/// Puts the job's descriptors in their places: first all above the highest place, so that none is overwritten.
bool place_descriptors(const InitOptions& options, int& channel) {
  int highest = 2;
  for (const auto& [number, source] : options.descriptors) highest = std::max(highest, number);
  channel = fcntl(channel, F_DUPFD_CLOEXEC, highest + 1);
  std::vector<std::pair<int, int>> moved;
  for (const auto& [number, source] : options.descriptors) {
    const int copy = fcntl(source, F_DUPFD_CLOEXEC, highest + 1);
    if (copy < 0) return false;
    moved.emplace_back(number, copy);
  }
  std::vector<int> keep{channel};
  for (const auto& [number, copy] : moved) {
    if (dup2(copy, number) < 0) return false;
    keep.push_back(number);
  }
  return channel >= 0 && close_others(keep);
}

bool restrict_files(const InitOptions& options) {
  const int abi = landlock::version();
  const int ruleset = landlock::make_ruleset(abi);
  if (ruleset < 0) return false;
  for (const AllowedPath& place : options.allowed) {
    struct stat status {};
    const bool folder = stat(place.path, &status) == 0 && S_ISDIR(status.st_mode);
    const bool device = S_ISCHR(status.st_mode);
    std::uint64_t rights = landlock::kReading;
    if (place.writable) rights = landlock::all_file_rights(abi);
    if (place.writable && !device) rights &= ~landlock::kIoctl;
    if (!landlock::allow(ruleset, place.path, rights & landlock::all_file_rights(abi), folder)) return false;
  }
  const bool done = landlock::restrict_self(ruleset);
  close(ruleset);
  return done;
}

}  // namespace

void become_job(const InitOptions& options, const std::vector<sock_filter>& filter, int channel) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setsid();
  // Under memory pressure the kernel ends the job, not its init.
  if (const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0) {
    if (write(score, "1000", 4) < 0) errno = 0;
    close(score);
  }
  // The job alone: its init must still be able to fork when the group is full.
  for (const int group : options.join) {
    if (write(group, "0", 1) != 1) fail_start(channel, "cannot enter the control group");
  }
  if (!place_descriptors(options, channel)) fail_start(channel, "cannot place descriptors");
  if (options.root && chdir(options.root) != 0) fail_start(channel, "cannot enter the job's folder");
  for (const auto& [which, most] : options.limits) {
    // The soft CPU limit sends SIGXCPU, which can be ignored; the hard one, a second later, SIGKILL.
    const rlimit limit{most, which == RLIMIT_CPU ? most + 1 : most};
    if (setrlimit(static_cast<__rlimit_resource_t>(which), &limit) != 0) fail_start(channel, "cannot set a limit");
  }
  umask(022);
  if (options.user >= 0 && !become(options.user)) fail_start(channel, "cannot become the job's user");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail_start(channel, "cannot give up new privileges");
  if (!options.allowed.empty() && !restrict_files(options)) fail_start(channel, "cannot restrict files");
  if (!filter.empty()) {
    const sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) fail_start(channel, "cannot filter system calls");
  }
  // Where a job's files lie in a folder, the program was just written there by a grader of many threads: one that
  // started another job meanwhile has given that job's init the file, open for writing, until it executes something
  // else.
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    execve(options.command[0], options.command, environ);
    if (errno != ETXTBSY) break;
    usleep(kPauseMicroseconds);
  }
  fail_start(channel, "cannot execute", true);
}

}  // namespace cudalabs::sandbox
