// Runs pieces of work side by side, each in a process of its own.
#include "course/workers.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>

namespace cudalabs::course {
namespace {

using sandbox::Fd;

constexpr std::size_t kMostOutput = 256u << 20;
constexpr std::size_t kMostErrors = 4096;
constexpr int kFailed = 3;  // exit status of work that threw

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::string text_of(const Fd& file, std::size_t most) {
  const off_t size = lseek(file.get(), 0, SEEK_END);
  const std::size_t wanted = std::min(most, static_cast<std::size_t>(std::max<off_t>(size, 0)));
  std::string text(wanted, '\0');
  const off_t start = size - static_cast<off_t>(wanted);
  std::size_t done = 0;
  while (done < wanted) {
    const ssize_t count = pread(file.get(), text.data() + done, wanted - done, start + static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  text.resize(done);
  return text;
}

[[noreturn]] void become(const std::function<int(int)>& work, int output, int errors, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kFailed);  // it died before that
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  int status = kFailed;
  try {
    status = work(output);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fflush(nullptr);
  _exit(status);  // nothing of the parent's is taken down here: its database stays the parent's
}

}  // namespace

Workers::~Workers() {
  for (const Running& each : running_) kill(each.process, SIGKILL);
  for (const Running& each : running_) {
    while (waitpid(each.process, nullptr, 0) < 0 && errno == EINTR) continue;
  }
}

void Workers::start(std::size_t number, const std::function<int(int)>& work) {
  Running running{.number = number,
                  .process = -1,
                  .ended = {},
                  .output = sandbox::make_memory_file("grading", {}),
                  .errors = sandbox::make_memory_file("grading-errors", {}),
                  .start = Clock::now(),
                  .overdue = false};
  std::fflush(nullptr);
  const pid_t parent = getpid();
  running.process = fork();
  if (running.process < 0) throw std::system_error(errno, std::generic_category(), "cannot start a grading");
  if (running.process == 0) become(work, running.output.get(), running.errors.get(), parent);
  running.ended = Fd(static_cast<int>(syscall(SYS_pidfd_open, running.process, 0)));
  const bool watched = static_cast<bool>(running.ended);
  const int error = errno;
  running_.push_back(std::move(running));
  if (!watched) throw std::system_error(error, std::generic_category(), "cannot watch a grading");
}

void Workers::end_overdue() {
  for (Running& each : running_) {
    if (each.overdue || Clock::now() - each.start < longest_) continue;
    each.overdue = true;
    kill(each.process, SIGKILL);
  }
}

std::optional<Ended> Workers::wait(std::chrono::milliseconds longest) {
  if (running_.empty()) return std::nullopt;
  std::vector<pollfd> events;
  for (const Running& each : running_) events.push_back({each.ended.get(), POLLIN, 0});
  if (poll(events.data(), events.size(), static_cast<int>(longest.count())) < 0 && errno != EINTR)
    throw std::system_error(errno, std::generic_category(), "cannot wait for a grading");
  const auto event = std::ranges::find_if(events, [](const pollfd& each) { return each.revents != 0; });
  end_overdue();
  if (event == events.end()) return std::nullopt;
  const auto at = running_.begin() + (event - events.begin());
  int status = 0;
  rusage used{};
  while (wait4(at->process, &status, 0, &used) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot wait for a grading");
  }
  Ended ended{.number = at->number,
              .exited = WIFEXITED(status),
              .status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
              .overdue = at->overdue,
              .output = text_of(at->output, kMostOutput),
              .errors = text_of(at->errors, kMostErrors),
              .cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime),
              .wall_seconds = std::chrono::duration<double>(Clock::now() - at->start).count()};
  running_.erase(at);
  return ended;
}

}  // namespace cudalabs::course
