// What the sandbox's init tells the supervisor when a job is over: one fixed-size message on the status pipe.
#pragma once

#include <cstdint>

namespace cudalabs::sandbox {

struct InitReport {
  static constexpr std::uint32_t kMagic = 0x57415244;
  std::uint32_t magic = kMagic;
  std::int32_t error = 0;          // errno of the set-up step that failed; 0: the job was started
  char step[48] = {};              // that step, for people
  std::uint32_t executing = 0;     // 1: that step was executing the job's own program
  std::int32_t wait_status = 0;    // of the job's first process, as waitpid gives it
  std::uint32_t leftover = 0;      // processes that outlived it and were killed
  double cpu_seconds = 0;          // of all processes that were waited for
  double largest_cpu_seconds = 0;  // of the one that used most
  std::uint64_t peak_bytes = 0;    // largest resident set of one process
};

/// The exit status of the sandbox's init's own failures before it can report, e.g. in `enter`.
constexpr int kInitFailed = 125;

}  // namespace cudalabs::sandbox
