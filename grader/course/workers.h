// Runs pieces of work side by side, each in a process of its own: what goes wrong in one is lost with it alone.
#pragma once

#include <sys/types.h>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/fd.h"

namespace cudalabs::course {

/// How a piece of work ended.
struct Ended {
  std::size_t number = 0;  // as it was started with
  bool exited = false;     // else a signal ended it
  int status = 0;          // exit status, or the signal's number
  bool overdue = false;    // it was ended because it took too long
  std::string output;      // what it wrote to its descriptor
  std::string errors;      // the end of what it wrote to its standard error
  double cpu_seconds = 0;  // of it and of all its processes that were waited for
  double wall_seconds = 0;
};

class Workers {
 public:
  /// `longest`: after that a process is killed. What the grader itself limits ends long before.
  explicit Workers(std::chrono::seconds longest) : longest_(longest) {}
  /// Kills what still runs.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Runs `work` in a child: its argument is a descriptor to write to, its result the exit status. The calling process
  /// must have one thread only. The child dies with the calling process, whatever ends that. Throws std::system_error.
  void start(std::size_t number, const std::function<int(int)>& work);

  std::size_t running() const { return running_.size(); }
  /// The next that has ended; nothing when none has within that time.
  std::optional<Ended> wait(std::chrono::milliseconds longest);

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::size_t number = 0;
    pid_t process = -1;
    sandbox::Fd ended, output, errors;
    Clock::time_point start;
    bool overdue = false;
  };
  void end_overdue();

  std::chrono::seconds longest_;
  std::vector<Running> running_;
};

}  // namespace cudalabs::course
