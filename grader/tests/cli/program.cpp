// Runs a program for a test.
#include "program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

namespace cudalabs::test {
namespace {

constexpr std::chrono::milliseconds kGrace{
    5000};  // between the end of a program's output and its own, and its children's

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                         const std::map<std::string, std::string>& environment, int out, int err) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  close_range(3, ~0u, 0);
  if (chdir(folder.c_str()) != 0) _exit(126);
  for (const auto& [name, value] : environment) {
    if (value.empty()) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

/// Reads both pipes to their ends, or until the deadline.
void drain(int out, int err, ProgramRun& run, std::chrono::steady_clock::time_point deadline) {
  std::array<pollfd, 2> ends{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0 || poll(ends.data(), ends.size(), static_cast<int>(left)) <= 0) return;
    for (pollfd& end : ends) {
      if (end.fd < 0 || end.revents == 0) continue;
      std::array<char, 1 << 16> chunk{};
      const ssize_t count = read(end.fd, chunk.data(), chunk.size());
      if (count <= 0) {
        end.fd = -1;
      } else {
        (end.fd == out ? run.out : run.err).append(chunk.data(), static_cast<std::size_t>(count));
      }
    }
  }
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child; list >> child;) children.push_back(child);
  }
  return children;
}

/// Kills and counts what the program left to this process, after a moment for those that are dying already.
unsigned reap_survivors() {
  const auto deadline = std::chrono::steady_clock::now() + kGrace;
  for (;;) {
    const pid_t dead = waitpid(-1, nullptr, WNOHANG);
    if (dead < 0) return 0;  // no child left
    if (dead > 0) continue;
    if (std::chrono::steady_clock::now() >= deadline) break;
    poll(nullptr, 0, 10);
  }
  unsigned survivors = 0;
  for (std::vector<pid_t> left = children_of(getpid()); !left.empty(); left = children_of(getpid())) {
    survivors += static_cast<unsigned>(left.size());
    for (const pid_t child : left) kill(child, SIGKILL);
    for (const pid_t child : left) waitpid(child, nullptr, 0);
  }
  return survivors;
}

void interrupt_when_busy(pid_t program, std::chrono::steady_clock::time_point deadline) {
  while (children_of(program).empty() && std::chrono::steady_clock::now() < deadline) poll(nullptr, 0, 5);
  kill(program, SIGINT);
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                       const RunOptions& options) {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("cannot adopt orphans");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds);
  std::array<int, 2> out{}, err{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) fail("cannot make pipes");
  const pid_t child = fork();
  if (child < 0) fail("cannot fork");
  if (child == 0) become(arguments, folder, options.environment, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  if (options.interrupt) interrupt_when_busy(child, deadline);
  ProgramRun run;
  drain(out[0], err[0], run, deadline);
  close(out[0]);
  close(err[0]);
  // Both pipes are at their ends, so the program has ended or is about to; or its time is up, and it is ended here.
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd ended{handle, POLLIN, 0};
  if (handle < 0 || poll(&ended, 1, static_cast<int>(kGrace.count())) != 1) kill(child, SIGKILL);
  if (handle >= 0) close(handle);
  int status = 0;
  waitpid(child, &status, 0);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.survivors = reap_survivors();
  return run;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

}  // namespace cudalabs::test
