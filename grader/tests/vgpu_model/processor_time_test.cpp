// A limit that counts what a thread computes: waiting is free, whatever else uses the processor meanwhile.
#include "vgpu/exec/processor_time.h"

#include <thread>

#include "catch.h"

namespace cudalabs::vgpu::exec {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST_CASE("a thread that waits does not come nearer to its limit", "[exec]") {
  ProcessorTimeLimit limit(20ms);
  std::this_thread::sleep_for(60ms);
  CHECK_FALSE(limit.exceeded());
}

TEST_CASE("a thread that computes runs into its limit", "[exec]") {
  ProcessorTimeLimit limit(20ms);
  const Clock::time_point begin = Clock::now();
  while (!limit.exceeded() && Clock::now() - begin < 60s) {
  }
  CHECK(limit.exceeded());
  CHECK(Clock::now() - begin >= 20ms);
}

TEST_CASE("a thread that waits now and then is stopped for what it computes in between", "[exec]") {
  ProcessorTimeLimit limit(20ms);
  const Clock::time_point begin = Clock::now();
  int naps = 0;
  while (!limit.exceeded() && Clock::now() - begin < 60s) {
    const Clock::time_point until = Clock::now() + 4ms;
    while (Clock::now() < until) {
    }
    std::this_thread::sleep_for(8ms);
    ++naps;
  }
  CHECK(limit.exceeded());
  CHECK(naps >= 3);
  CHECK(Clock::now() - begin >= 44ms);
}

TEST_CASE("work in small pieces runs into the limit, and once it has, every further piece does", "[exec]") {
  ProcessorTimeLimit limit(20ms);
  const Clock::time_point begin = Clock::now();
  bool exceeded = false;
  while (!exceeded && Clock::now() - begin < 60s) exceeded = limit.exceeded_after(1);
  CHECK(exceeded);
  CHECK(Clock::now() - begin >= 20ms);
  CHECK(limit.exceeded_after(0));
}

TEST_CASE("no limit is never exceeded", "[exec]") {
  ProcessorTimeLimit limit(std::nullopt);
  CHECK_FALSE(limit.exceeded());
  CHECK_FALSE(limit.exceeded_after(1'000'000));
}

}  // namespace
}  // namespace cudalabs::vgpu::exec
