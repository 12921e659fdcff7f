// In which order objects end with their scope.
#include "source/end_of_scope.h"

#include "catch.h"

namespace cudalabs {
namespace {

/// Two objects in the lines 11 and 12 of a block that ends in line 14.
std::string scope_with(const std::string& first, const std::string& second, const std::string& between = "") {
  return "struct Clock {\n"
         "  ~Clock() { ms_ = elapsed(begin_, std::chrono::steady_clock::now()); }\n"
         "};\n"
         "struct Wait {\n"
         "  ~Wait() {\n"
         "    result_ = cudaDeviceSynchronize();\n"
         "  }\n"
         "};\n"
         "double f(Launch launch) {\n"
         "  {\n    " +
         first + "\n    " + second + "\n    " + between + "launch();\n  }\n  return ms;\n}\n";
}

}  // namespace

TEST_CASE("an object that waits and is declared before the clock ends after it", "[source]") {
  CHECK(clock_that_ends_before(scope_with("Wait wait(finished);", "Clock clock{ms};"), 6, 14) ==
        EndOfScope{"wait", "clock", 11, 12});
  CHECK(clock_that_ends_before(scope_with("Wait w;", "const Clock stopwatch(ms);"), 6, 14) ==
        EndOfScope{"w", "stopwatch", 11, 12});
}

TEST_CASE("where the clock ends last, or nothing is known of it, nothing is found", "[source]") {
  CHECK_FALSE(clock_that_ends_before(scope_with("Clock clock(ms);", "Wait wait(finished);"), 6, 14));
  CHECK_FALSE(clock_that_ends_before(scope_with("Wait wait(finished);", "Other clock(ms);"), 6, 14));
  CHECK_FALSE(clock_that_ends_before(scope_with("Wait wait(finished);", "{ Clock clock(ms); }"), 6, 14));
  CHECK_FALSE(clock_that_ends_before(scope_with("Wait wait(finished);", "Clock a(ms); Clock b(ms);"), 6, 14));
  // Another destructor's line, and a line that ends no block.
  CHECK_FALSE(clock_that_ends_before(scope_with("Wait wait(finished);", "Clock clock(ms);"), 2, 14));
  CHECK_FALSE(clock_that_ends_before(scope_with("Wait wait(finished);", "Clock clock(ms);"), 6, 13));
  CHECK_FALSE(clock_that_ends_before("", 6, 14));
}

TEST_CASE("a long text of objects is read all the same", "[source]") {
  std::string many;
  for (int i = 0; i < 50'000; ++i) many += "Wait w; { Clock c; }";
  CHECK_FALSE(clock_that_ends_before(scope_with("Wait wait(finished);", many), 6, 14));
  CHECK_FALSE(clock_that_ends_before(scope_with("Wait wait(finished);", std::string(1 << 20, '{')), 6, 14));
}

}  // namespace cudalabs
