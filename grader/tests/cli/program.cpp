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

constexpr int kGraceMilliseconds = 5000;  // between the end of a program's output and its own

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

/// Kills and counts what the program left to this process.
unsigned reap_survivors() {
  unsigned survivors = 0;
  for (;;) {
    int status = 0;
    const pid_t dead = waitpid(-1, &status, WNOHANG);
    if (dead < 0) return survivors;  // no child left
    if (dead > 0) continue;          // had ended by itself
    // Somebody is alive; /proc says who.
    std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
    for (pid_t child; children >> child;) {
      ++survivors;
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    }
  }
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                       const std::map<std::string, std::string>& environment, unsigned seconds) {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("cannot adopt orphans");
  std::array<int, 2> out{}, err{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) fail("cannot make pipes");
  const pid_t child = fork();
  if (child < 0) fail("cannot fork");
  if (child == 0) become(arguments, folder, environment, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  ProgramRun run;
  drain(out[0], err[0], run, std::chrono::steady_clock::now() + std::chrono::seconds(seconds));
  close(out[0]);
  close(err[0]);
  // Both pipes are at their ends, so the program has ended or is about to; or its time is up, and it is ended here.
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd ended{handle, POLLIN, 0};
  if (handle < 0 || poll(&ended, 1, kGraceMilliseconds) != 1) kill(child, SIGKILL);
  if (handle >= 0) close(handle);
  int status = 0;
  waitpid(child, &status, 0);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.survivors = reap_survivors();
  return run;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "cudalabs-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail("cannot make a folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

std::filesystem::path TemporaryFolder::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path path = path_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return path;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

}  // namespace cudalabs::test
