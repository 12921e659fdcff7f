// Runs a program of this machine to its end, silently.
#include "cli/run_tool.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace cudalabs {
namespace {

constexpr std::size_t kMostErrors = 4096;

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open(int descriptor, int flags) {
    posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", flags, 0);
  }
  void copy(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::string read_start(int descriptor) {
  std::string text;
  std::array<char, 1024> part{};
  for (;;) {
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    // What is too much is read all the same, so that the program does not wait for a reader.
    if (text.size() < kMostErrors) text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ToolRun run_tool(const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "no pipe");
  FileActions actions;
  actions.open(STDIN_FILENO, O_RDONLY);
  actions.open(STDOUT_FILENO, O_WRONLY);
  actions.copy(pipe_ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0], actions.get(), nullptr, words.data(), environ);
  close(pipe_ends[1]);
  ToolRun run;
  if (error == 0) run.errors = read_start(pipe_ends[0]);
  close(pipe_ends[0]);
  if (error == ENOENT) return run;
  if (error != 0) throw std::system_error(error, std::generic_category(), "cannot start " + arguments[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot wait for " + arguments[0]);
  }
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace cudalabs
