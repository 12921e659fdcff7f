// How a job ended, from what was seen of it and of its groups. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "sandbox/sandbox.h"

namespace cudalabs::sandbox {

/// What is known of a job that is over.
struct Traces {
  int wait_status = 0;             // of its first process, as waitpid gives it
  double largest_cpu_seconds = 0;  // processor time of the process that used most
  std::uint64_t peak_bytes = 0;    // largest resident set of one process
  unsigned leftover = 0;           // processes that outlived the first one
  bool out_of_memory = false;      // the kernel ended one for want of memory in its group
  bool out_of_processes = false;   // its group refused one
  std::optional<End> cut = {};     // the limit that its supervisor enforced
};

struct Verdict {
  End end = End::exited;
  int status = 0;  // exit status or signal number
};

/// A limit explains an end better than the signal it was carried out with.
Verdict verdict_on(const Traces& traces, const Limits& limits);

}  // namespace cudalabs::sandbox
