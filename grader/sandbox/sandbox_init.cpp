// The sandbox's own small program: `enter` gives up what a job must not inherit before bubblewrap starts, `guard`
// starts the job, waits for it, ends everything it left behind and reports. A program of its own, because between fork
// and exec in a process with threads almost nothing is allowed, and because it is the first process of the job's
// namespace.
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandbox/descendants.h"
#include "sandbox/init_report.h"
#include "sandbox/landlock.h"

namespace cudalabs::sandbox {
namespace {

constexpr int kMostAttempts = 2000;  // to execute a file that another process has open for writing
constexpr useconds_t kPauseMicroseconds = 1000;

struct Allowed {
  const char* path;
  bool writable;
};

struct Options {
  std::vector<int> join;                       // cgroup.procs files to enter
  std::vector<int> keep;                       // descriptors that stay open in `enter`
  int user = -1;                               // uid and gid to become
  int status = -1, control = -1, filter = -1;  // descriptors of `guard`
  const char* root = nullptr;                  // folder to start in
  std::vector<Allowed> allowed;                // Landlock paths; none: no Landlock
  std::vector<std::pair<int, rlim_t>> limits;
  std::vector<std::pair<int, int>> descriptors;  // number in the job, number here
  bool first_process = false;                    // pid 1 of its own namespace: it ends with us
  bool new_session = false;
  char** command = nullptr;
};

[[noreturn]] void give_up(const char* step) {
  std::fprintf(stderr, "sandbox: %s: %s\n", step, std::strerror(errno));
  _exit(kInitFailed);
}

int limit_named(std::string_view name) {
  if (name == "cpu") return RLIMIT_CPU;
  if (name == "memory") return RLIMIT_AS;
  if (name == "file") return RLIMIT_FSIZE;
  if (name == "processes") return RLIMIT_NPROC;
  if (name == "files") return RLIMIT_NOFILE;
  if (name == "core") return RLIMIT_CORE;
  errno = EINVAL;
  give_up("unknown limit");
}

/// The arguments come from the supervisor alone; a malformed one is a bug there.
Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 2; i < count; ++i) {
    const std::string_view name = arguments[i];
    if (name == "--") {
      options.command = arguments + i + 1;
      break;
    }
    if (name == "--first-process") {
      options.first_process = true;
      continue;
    }
    if (name == "--new-session") {
      options.new_session = true;
      continue;
    }
    if (i + 1 >= count) break;
    char* value = arguments[++i];
    const char* equals = std::strchr(value, '=');
    if (name == "--join") options.join.push_back(std::atoi(value));
    if (name == "--keep") options.keep.push_back(std::atoi(value));
    if (name == "--user") options.user = std::atoi(value);
    if (name == "--status") options.status = std::atoi(value);
    if (name == "--control") options.control = std::atoi(value);
    if (name == "--filter") options.filter = std::atoi(value);
    if (name == "--root") options.root = value;
    if (name == "--read") options.allowed.push_back({value, false});
    if (name == "--write") options.allowed.push_back({value, true});
    if (name == "--limit" && equals) {
      options.limits.emplace_back(limit_named({value, equals}), std::strtoull(equals + 1, nullptr, 10));
    }
    if (name == "--fd" && equals) options.descriptors.emplace_back(std::atoi(value), std::atoi(equals + 1));
  }
  if (!options.command || !*options.command) {
    errno = EINVAL;
    give_up("no command");
  }
  return options;
}

/// Closes every descriptor that is not in `keep`.
bool close_others(std::vector<int> keep) {
  std::sort(keep.begin(), keep.end());
  unsigned first = 0;
  for (const int descriptor : keep) {
    const auto number = static_cast<unsigned>(descriptor);
    if (number > first && close_range(first, number - 1, 0) != 0) return false;
    first = std::max(first, number + 1);
  }
  return close_range(first, ~0u, 0) == 0;
}

bool become(int user) {
  const auto id = static_cast<uid_t>(user);
  return setgroups(0, nullptr) == 0 && setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0;
}

int enter(Options options) {
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

/// What the child of `guard` tells it when it cannot become the job.
struct StartFailure {
  int error;
  bool executing;
  char step[48];
};

[[noreturn]] void fail_start(int channel, const char* step, bool executing = false) {
  StartFailure failure{errno, executing, {}};
  std::snprintf(failure.step, sizeof failure.step, "%s", step);
  if (write(channel, &failure, sizeof failure) < 0) _exit(kInitFailed);
  _exit(kInitFailed);
}

/// Puts the job's descriptors in their places: first all above the highest place, so that none is overwritten.
bool place_descriptors(const Options& options, int& channel) {
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

bool restrict_files(const Options& options) {
  const int abi = landlock::version();
  const int ruleset = landlock::make_ruleset(abi);
  if (ruleset < 0) return false;
  for (const Allowed& place : options.allowed) {
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

[[noreturn]] void become_job(const Options& options, const std::vector<sock_filter>& filter, int channel) {
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

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

void account(InitReport& report, const rusage& usage) {
  const double cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  report.cpu_seconds += cpu;
  report.largest_cpu_seconds = std::max(report.largest_cpu_seconds, cpu);
  report.peak_bytes = std::max(report.peak_bytes, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
}

/// Reaps the processes that have ended. True once the job's first process was among them.
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

/// Sends SIGKILL to everything the job could have started.
void kill_rest(const Options& options) {
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

/// Kills and reaps until no child is left, and counts them.
std::uint32_t clear_rest(const Options& options, InitReport& report) {
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

int guard(const Options& options) {
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
