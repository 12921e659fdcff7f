// Which kernels a time of the host's clock holds.
#include "check/checks/lab6_times.h"

#include "catch.h"

namespace cudalabs::test {
namespace {

WatchedCall call(const std::string& name, bool after_clock, bool waits = false) {
  WatchedCall made;
  made.name = name;
  made.where = {"folder/timing.cu", 26, 3};
  made.after_clock = after_clock;
  made.waits = waits;
  return made;
}

WatchedCall launch(bool after_clock = false) {
  return call("cudaLaunchKernel", after_clock);
}

std::string kernels(std::vector<WatchedCall> calls, double milliseconds, std::vector<double> seconds = {0.08, 0.08}) {
  Observation run;
  run.watched = std::move(calls);
  run.launch_seconds = std::move(seconds);
  return lab6::kernels_in_time(run, milliseconds);
}

}  // namespace

TEST_CASE("a kernel that was launched before the clock was read, and not waited for, is named") {
  const std::string text = kernels(
      {launch(), call("cudaGetLastError", false), launch(true), call("cudaDeviceSynchronize", false, true)}, 161);
  CHECK_THAT(text, contains_text("still ran when the clock was read"));
  CHECK_THAT(text, contains_text("after `cudaGetLastError` (timing.cu:26)"));
  CHECK_THAT(kernels({launch(), launch(true)}, 161), !contains_text("after `"));
}

TEST_CASE("two launches while the clock runs are counted") {
  CHECK(kernels({launch(true), launch(), call("cudaDeviceSynchronize", false, true)}, 161) ==
        "; `launch()` is called 2 times while the clock runs");
}

TEST_CASE("nothing is said of a kernel that was waited for, nor of a time that is not that of all") {
  const std::vector<WatchedCall> waited{launch(), call("cudaDeviceSynchronize", false, true), launch(true),
                                        call("cudaDeviceSynchronize", false, true)};
  CHECK(kernels(waited, 161).empty());
  const std::vector<WatchedCall> both{launch(), launch(true), call("cudaDeviceSynchronize", false, true)};
  CHECK(kernels(both, 700).empty());
  CHECK(kernels(both, 80).empty());
  CHECK(kernels({launch(true), call("cudaDeviceSynchronize", false, true)}, 161).empty());
  CHECK(kernels({launch(), launch()}, 161).empty());  // nobody knows when the clock was read
  CHECK(kernels(both, 161, {0.08}).empty());
}

}  // namespace cudalabs::test
