// Tells limits by their traces.
#include "sandbox/verdict.h"

#include <sys/wait.h>

#include <cmath>
#include <csignal>

namespace cudalabs::sandbox {

Verdict verdict_on(const Traces& traces, const Limits& limits) {
  const bool signaled = WIFSIGNALED(traces.wait_status);
  Verdict verdict;
  verdict.status = signaled ? WTERMSIG(traces.wait_status) : WEXITSTATUS(traces.wait_status);
  const bool failed = signaled || verdict.status != 0;

  // Who grew to the limit and failed did so for want of memory, whether a memory group ended it or it gave up because
  // it was given no more.
  constexpr double kNearly = 0.9;
  const auto memory = static_cast<double>(limits.memory_bytes);
  const bool out_of_memory =
      traces.out_of_memory || (failed && !traces.cut && static_cast<double>(traces.peak_bytes) >= kNearly * memory);
  const bool out_of_processes = traces.out_of_processes || traces.leftover + 1 >= limits.processes;
  // For the limit the kernel counts whole ticks, of which a busy machine gives a process too many; here nanoseconds.
  constexpr double kNearlyCpu = 0.7;
  const bool used_up = traces.largest_cpu_seconds >= kNearlyCpu * std::ceil(limits.cpu_seconds);
  const bool out_of_cpu =
      signaled ? verdict.status == SIGXCPU || (verdict.status == SIGKILL && used_up) : verdict.status != 0 && used_up;
  verdict.end = signaled ? End::signaled : End::exited;
  if (traces.cut) verdict.end = *traces.cut;
  if (out_of_cpu && !traces.cut) verdict.end = End::cpu_limit;
  if (out_of_memory) verdict.end = End::memory_limit;
  if (out_of_processes) verdict.end = End::process_limit;
  return verdict;
}

}  // namespace cudalabs::sandbox
