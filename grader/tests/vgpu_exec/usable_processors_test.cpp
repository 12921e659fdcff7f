// Processors that are left to a process by who started it.
#include "vgpu/usable_processors.h"

#include <sched.h>

#include <thread>

#include "catch.h"

namespace cudalabs::vgpu {
namespace {

TEST_CASE("a thread that may run on one processor has one, whatever the machine has", "[vgpu]") {
  unsigned before = 0, alone = 0;
  std::thread([&] {
    before = usable_processors();
    cpu_set_t own, first;
    CPU_ZERO(&own);
    CPU_ZERO(&first);
    if (sched_getaffinity(0, sizeof own, &own) != 0) return;
    int processor = 0;
    while (!CPU_ISSET(processor, &own)) ++processor;
    CPU_SET(processor, &first);
    if (sched_setaffinity(0, sizeof first, &first) == 0) alone = usable_processors();
  }).join();
  CHECK(before >= 1);
  CHECK(alone == 1);
  CHECK(usable_processors() == before);
}

}  // namespace
}  // namespace cudalabs::vgpu
