// The sandbox's own small program: `enter` gives up what a job must not inherit before bubblewrap starts, `guard`
// starts the job, waits for it, ends everything it left behind and reports. A program of its own, because between fork
// and exec in a process with threads almost nothing is allowed, and because it is the first process of the job's
// namespace.
#include <fcntl.h>
#include <linux/filter.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "sandbox/become_job.h"
#include "sandbox/give_up_rights.h"
#include "sandbox/init_options.h"
#include "sandbox/init_report.h"
#include "sandbox/job_processes.h"

namespace cudalabs::sandbox {
namespace {

int enter(InitOptions options) {
  for (const int group : options.join) {
    if (write(group, "0", 1) != 1) give_up("cannot enter the control group");
  }
  options.keep.insert(options.keep.end(), {0, 1, 2});
  if (!close_others(options.keep)) give_up("cannot close descriptors");
  if (options.new_session) setsid();
  if (options.user >= 0 && !become(options.user)) give_up("cannot become the job's user");
  // Until bubblewrap has asked for the same, it must not outlive its parent; changing the user has undone any
  // such wish. The pipe says whether the end came before the wish.
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  pollfd supervisor{options.control, 0, 0};
  if (options.control >= 0 && poll(&supervisor, 1, 0) > 0) _exit(kInitFailed);
  execvp(options.command[0], options.command);
  give_up(options.command[0]);
}

std::vector<sock_filter> read_filter(int descriptor) {
  std::vector<sock_filter> filter;
  sock_filter instruction{};
  // By offset: the descriptor may be shared with other jobs.
  for (off_t at = 0; pread(descriptor, &instruction, sizeof instruction, at) == sizeof instruction;
       at += sizeof instruction) {
    filter.push_back(instruction);
  }
  return filter;
}

int guard(const InitOptions& options) {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_NAME, "init", 0, 0, 0);
  if (!options.first_process) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const std::vector<sock_filter> filter =
      options.filter >= 0 ? read_filter(options.filter) : std::vector<sock_filter>{};

  InitReport report;
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, nullptr);
  const int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  int channel[2];
  if (signals < 0 || pipe2(channel, O_CLOEXEC) != 0) give_up("cannot set up");

  const pid_t job = fork();
  if (job < 0) give_up("cannot fork");
  if (job == 0) become_job(options, filter, channel[1]);
  // The job's own ends must not stay open here, or its pipes would never close.
  std::vector<int> keep = options.keep;
  keep.insert(keep.end(), {0, 1, 2, options.status, options.control, signals, channel[0]});
  if (!close_others(keep)) give_up("cannot close descriptors");

  StartFailure failure{};
  if (read(channel[0], &failure, sizeof failure) == sizeof failure) {
    report.error = failure.error;
    report.executing = failure.executing ? 1 : 0;
    std::memcpy(report.step, failure.step, sizeof report.step);
  }
  bool over = false;
  while (!over) {
    pollfd events[] = {{signals, POLLIN, 0}, {options.control, 0, 0}};
    if (poll(events, 2, -1) < 0 && errno != EINTR) break;
    signalfd_siginfo ignored[8];
    while (read(signals, ignored, sizeof ignored) > 0) continue;
    if ((events[1].revents & (POLLHUP | POLLERR)) != 0) ::kill(job, SIGKILL);
    over = reap(report, job);
    if ((events[1].revents & (POLLHUP | POLLERR)) != 0 && !over) {
      // Told to stop, or the supervisor is gone: everything dies, the first process with the others.
      int status = 0;
      rusage usage{};
      if (wait4(job, &status, __WALL, &usage) == job) {
        account(report, usage);
        report.wait_status = status;
      }
      over = true;
    }
  }
  report.leftover = clear_rest(options, report);
  if (write(options.status, &report, sizeof report) != sizeof report) return kInitFailed;
  return 0;
}

/// Run inside a sandbox that is being tried out: succeeds only when what must be refused is refused.
int probe(bool files_are_hidden) {
  if (getuid() == 0 || geteuid() == 0) return 2;
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 || prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2) return 3;
  if (syscall(SYS_unshare, 0x10000000) == 0 || socket(AF_INET, SOCK_DGRAM, 0) >= 0) return 4;
  if (files_are_hidden && open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0) return 5;
  return 0;
}

}  // namespace
}  // namespace cudalabs::sandbox

int main(int count, char** arguments) {
  using namespace cudalabs::sandbox;
  const std::string_view mode = count > 1 ? arguments[1] : "";
  if (mode == "enter") return enter(read_options(count, arguments));
  if (mode == "guard") return guard(read_options(count, arguments));
  if (mode == "probe") return probe(count > 2);
  std::fputs("this program is part of the sandbox and is started by the grader\n", stderr);
  return kInitFailed;
}
