// Work in many processes.
#include "processes.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>

namespace cudalabs::reference {

namespace {

/// Where a process is, seen by its parent also when the process is gone.
struct Progress {
  std::uint64_t item = 0;
  bool at_work = false;  // not still, or again, making its work
  char error[200] = {};
};

class SharedProgress {
 public:
  explicit SharedProgress(std::uint64_t count)
      : bytes_(count * sizeof(Progress)),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::runtime_error("no shared memory");
  }
  ~SharedProgress() { munmap(memory_, bytes_); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;

  Progress& operator[](std::uint64_t index) { return static_cast<Progress*>(memory_)[index]; }

 private:
  std::size_t bytes_;
  void* memory_;
};

}  // namespace

void work_in_processes(std::uint64_t count, std::uint64_t processes, unsigned seconds_each,
                       const std::function<std::function<void(std::uint64_t)>()>& make_work,
                       const std::function<void(std::uint64_t, const std::string&)>& lost) {
  SharedProgress progress(processes);
  std::map<pid_t, std::uint64_t> process_of;
  const auto start = [&](std::uint64_t process) {
    Progress& at = progress[process];
    if (at.item >= count) return;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no further process");
    if (child != 0) {
      process_of[child] = process;
      return;
    }
    try {
      at.at_work = false;
      const auto work = make_work();
      at.at_work = true;
      for (; at.item < count; at.item += processes) {
        alarm(seconds_each);
        work(at.item);
      }
    } catch (const std::exception& error) {
      std::strncpy(at.error, error.what(), sizeof at.error - 1);
      std::fflush(stdout);
      _exit(1);
    }
    std::fflush(stdout);
    _exit(0);
  };
  for (std::uint64_t process = 0; process < processes; ++process) {
    progress[process].item = process;
    start(process);
  }
  while (!process_of.empty()) {
    int status = 0;
    const auto found = process_of.find(wait(&status));
    if (found == process_of.end()) continue;
    const std::uint64_t process = found->second;
    process_of.erase(found);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    Progress& at = progress[process];
    if (!at.at_work) throw std::runtime_error(std::string("no process can begin its work: ") + at.error);
    lost(at.item, WIFSIGNALED(status) ? std::string("ended by: ") + strsignal(WTERMSIG(status)) : at.error);
    at.item += processes;
    start(process);
  }
}

}  // namespace cudalabs::reference
