// What a process that shares its user with others can still do to them.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.h"
#include "sandbox/fd.h"
#include "sandbox/seccomp_filter.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::sandbox {
namespace {

constexpr int kDone = 0, kRefused = 1, kOtherwise = 2;

int told(long answer) {
  if (answer >= 0) return kDone;
  return errno == EPERM || errno == EACCES ? kRefused : kOtherwise;
}

/// What becomes of `attempt` in a process of its own, with the filter or without.
int outcome_of(bool filtered, const std::function<int()>& attempt) {
  const pid_t process = fork();
  if (process == 0) {
    for (const int signal : {SIGABRT, SIGSEGV}) std::signal(signal, SIG_DFL);  // not the test framework's
    if (filtered) {
      const std::vector<sock_filter>& filter = lone_process_filter();
      const sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
      if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, 2, &program) != 0) _exit(99);
    }
    _exit(attempt());
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Forks, and waits for what it forked.
long make_process(long call) {
  const long process = syscall(call, SIGCHLD, 0, 0, 0, 0);
  if (process == 0) _exit(0);
  const int error = errno;
  if (process > 0) waitpid(static_cast<pid_t>(process), nullptr, 0);
  errno = error;
  return process;
}

TEST_CASE("a lone process can do nothing to others of its user", "[sandbox]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "file", other = folder.path() / "other";
  const int priority = getpriority(PRIO_PROCESS, 0);  // to a lower number than its own no user may set it
  const std::vector<std::pair<const char*, std::function<int()>>> attempts = {
      {"signal another", [] { return told(kill(getppid(), 0)); }},
      {"signal a thread", [] { return told(syscall(SYS_tgkill, getppid(), getppid(), 0)); }},
      {"queue a signal",
       [] {
         siginfo_t info{};
         info.si_code = SI_QUEUE;
         return told(syscall(SYS_rt_sigqueueinfo, getppid(), 0, &info));
       }},
      {"have a descriptor signal another", [] { return told(fcntl(0, F_SETOWN, getppid())); }},
      {"choose that signal", [] { return told(fcntl(0, F_SETSIG, SIGTERM)); }},
      {"set the priority of another",
       [=] { return told(setpriority(PRIO_PROCESS, static_cast<id_t>(getppid()), priority)); }},
      {"fork", [] { return told(make_process(SYS_clone)); }},
      {"fork the old way", [] { return told(make_process(SYS_fork)); }},
      {"execute", [] { return told(execl("/bin/true", "true", nullptr)); }},
      {"make a file", [&] { return told(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)); }},
      {"make a file that has no name", [&] { return told(open(folder.path().c_str(), O_WRONLY | O_TMPFILE, 0600)); }},
      {"make a folder", [&] { return told(mkdir(other.c_str(), 0700)); }},
      {"make a link", [&] { return told(symlink("/", (other + "-link").c_str())); }},
      {"make sockets",
       [] {
         int ends[2];
         return told(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
       }},
  };
  for (const auto& [name, attempt] : attempts) {
    CAPTURE(name);
    CHECK(outcome_of(false, attempt) == kDone);
    CHECK(outcome_of(true, attempt) == kRefused);
  }
}

TEST_CASE("a lone process still has threads, memory and its open files", "[sandbox]") {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "text");
  const Fd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  CHECK(outcome_of(true, [&] {
          bool right = true;
          std::thread([&] { right = right && write(file.get(), "more", 4) == 4; }).join();
          right = right && open(path.c_str(), O_RDONLY | O_CLOEXEC) >= 0;
          return right ? kDone : kOtherwise;
        }) == kDone);
  CHECK(outcome_of(true, []() -> int { std::abort(); }) == -1);
}

}  // namespace
}  // namespace cudalabs::sandbox
