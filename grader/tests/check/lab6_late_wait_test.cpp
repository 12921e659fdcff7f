// Waits that come after the clock was read.
#include "check/checks/lab6_late_wait.h"

#include "catch.h"

namespace cudalabs::lab6 {

TEST_CASE("the order of two objects is blamed where it makes the wait late, and else nothing") {
  const std::string source =
      "struct Clock {\n  ~Clock() { ms_ = since(std::chrono::steady_clock::now()); }\n};\n"
      "struct Wait {\n  ~Wait() { cudaDeviceSynchronize(); }\n};\n"
      "double f(Launch launch) {\n  Wait wait;\n  Clock clock(ms);\n  launch();\n}\n";
  WatchedCall wait{"cudaDeviceSynchronize", 0, {"timing.cu", 5, 0}};
  CHECK(late_wait(wait, source) ==
        "`cudaDeviceSynchronize` (timing.cu:5) waits after the clock was read: the time holds no wait");
  wait.outer = {"timing.cu", 11, 0};
  CHECK(late_wait(wait, source) ==
        "`cudaDeviceSynchronize` (timing.cu:5, called in line 11) waits after the clock was read: `wait` (line 8) is "
        "declared before `clock` (line 9), so it is destroyed after it; exchange these two lines");
}

}  // namespace cudalabs::lab6
