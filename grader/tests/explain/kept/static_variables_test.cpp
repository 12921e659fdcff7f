// What is kept from one call to the next.
#include "explain/kept/static_variables.h"

#include "catch.h"

namespace cudalabs::test::of_static_variables {
namespace {

using Names = std::set<std::string_view>;

}  // namespace

TEST_CASE("static variables are found in functions and outside of all") {
  CHECK(static_variables("static cudaError_t status = cudaSuccess;\n") == Names{"status"});
  CHECK(static_variables("void f() {\n  static Shape last = {0, 0};\n  static float* room;\n}\n") ==
        Names{"last", "room"});
  CHECK(static_variables("static int counts[4];\n") == Names{"counts"});
}

TEST_CASE("static functions, constants and the device's variables are none") {
  CHECK(static_variables("static bool good(cudaError_t error) { return !error; }\n").empty());
  CHECK(static_variables("static constexpr int kBlock = 256;\nstatic const int n = 3;\n").empty());
  CHECK(static_variables("static __device__ int total;\n").empty());
  CHECK(static_variables("int total;\n").empty());
  CHECK(static_variables("static").empty());
}

}  // namespace cudalabs::test::of_static_variables
