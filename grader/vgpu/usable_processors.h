// How many processors there are for this process.
#pragma once

#include <sched.h>

#include <algorithm>
#include <thread>

namespace cudalabs::vgpu {

/// Those that the calling thread may run on, at least one: a cluster's node or a container gives a job some of the
/// machine's, which std::thread::hardware_concurrency() counts all.
inline unsigned usable_processors() {
  cpu_set_t own;
  CPU_ZERO(&own);
  const bool known = sched_getaffinity(0, sizeof own, &own) == 0;  // not of machines with more than 1,024
  return std::max(known ? static_cast<unsigned>(CPU_COUNT(&own)) : std::thread::hardware_concurrency(), 1u);
}

}  // namespace cudalabs::vgpu
