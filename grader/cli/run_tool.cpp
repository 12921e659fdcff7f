// Runs a program of this machine to its end, silently: what it writes is its caller's.
#include "cli/run_tool.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sandbox/fd.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostText = 4096;

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

std::string start_of(const sandbox::Fd& file) {
  std::string text(kMostText, '\0');
  const ssize_t count = pread(file.get(), text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

}  // namespace

ToolRun run_tool(const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const sandbox::Fd output = sandbox::make_memory_file("output", {}), errors = sandbox::make_memory_file("errors", {});
  FileActions actions;
  actions.open(STDIN_FILENO, O_RDONLY);
  actions.copy(output.get(), STDOUT_FILENO);
  actions.copy(errors.get(), STDERR_FILENO);
  pid_t child = 0;
  ToolRun run;
  const int error = posix_spawnp(&child, words[0], actions.get(), nullptr, words.data(), environ);
  if (error == ENOENT) return run;
  if (error != 0) throw std::system_error(error, std::generic_category(), "cannot start " + arguments[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot wait for " + arguments[0]);
  }
  run.output = start_of(output);
  run.errors = start_of(errors);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace cudalabs
