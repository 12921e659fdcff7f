// How long a job did nothing: neither computed, nor waited for a processor or a disk. Unlike the wall clock it stands
// still while the machine is busy with others.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace cudalabs::sandbox {

class IdleClock {
 public:
  using Duration = std::chrono::nanoseconds;

  /// Of these processes and all their descendants together: it runs while every one of them is idle.
  explicit IdleClock(std::vector<pid_t> roots);

  /// Adds what has passed since the last look, unless something moved.
  void look();
  /// What has passed since then is not the job's: something came from it, and the caller was busy.
  void pause();
  Duration idle() const { return idle_; }
  /// Processor time that the processes had used at some look, those that are gone included as far as their parents
  /// waited for them.
  Duration busy() const { return busy_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Sample {
    std::uint64_t ticks = 0;  // processor time
    bool moving = false;      // a thread is running, about to, or waiting for a disk
  };
  Sample take() const;

  std::vector<pid_t> roots_;
  std::optional<Sample> last_;
  Clock::time_point at_;
  Duration idle_{}, busy_{};
};

}  // namespace cudalabs::sandbox
