// fork, exec, wait: the wall time of a whole command, and the memory of its process tree from /proc.
#include "bench/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace cudalabs::bench {
namespace {

namespace fs = std::filesystem;

/// Parent of a process, 0 when it is gone. The fields of /proc/PID/stat are read behind the name's closing parenthesis.
pid_t parent_of(const fs::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 4 > text.size()) return 0;
  return static_cast<pid_t>(std::strtol(text.c_str() + name_end + 4, nullptr, 10));
}

std::uint64_t resident_bytes(const fs::path& process) {
  std::ifstream file(process / "statm");
  std::uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t tree_bytes(pid_t root) {
  std::map<pid_t, pid_t> parents;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const pid_t process = static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10));
    if (process > 0) parents[process] = parent_of(entry.path());
  }
  std::uint64_t total = 0;
  for (const auto& [process, parent] : parents) {
    pid_t at = process;
    while (at != root && at > 1 && parents.contains(at)) at = parents.at(at);
    if (at == root) total += resident_bytes("/proc/" + std::to_string(process));
  }
  return total;
}

/// Samples the memory of a process tree on a thread of its own until told to stop.
class MemorySampler {
 public:
  explicit MemorySampler(pid_t root) : thread_([this, root] { sample(root); }) {}

  std::uint64_t stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_one();
    thread_.join();
    return peak_;
  }

 private:
  void sample(pid_t root) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(10), [this] { return stopped_; })) {
      peak_ = std::max(peak_, tree_bytes(root));
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  std::uint64_t peak_ = 0;
  std::thread thread_;
};

}  // namespace

ProcessCost run_process(const std::vector<std::string>& command, const std::string& working_folder,
                        const std::vector<std::string>& environment) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    const int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (chdir(working_folder.c_str()) != 0) _exit(127);
    for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  MemorySampler sampler(child);
  int status = 0;
  const bool waited = waitpid(child, &status, 0) == child;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  ProcessCost cost;
  cost.peak_bytes = sampler.stop();
  if (!waited) throw std::runtime_error("wait failed");
  cost.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  cost.wall_seconds = wall.count();
  if (cost.exit_code == 127) throw std::runtime_error("cannot run " + command[0]);
  return cost;
}

}  // namespace cudalabs::bench
