// Which axes of a launch a variable of a kernel is computed from.
#include "source/thread_axis.h"

#include <string>

#include "catch.h"

using namespace cudalabs;

namespace {

const std::string kSweep =
    "__global__ void k(float* c, int w, int h) {\n"
    "  const int first = blockIdx.y * 8 + threadIdx.y;\n"
    "  int x(threadIdx.x), n = 0;\n"
    "  for (int y = first; y < h; y += gridDim.y)\n"
    "    for (int i = 0; i < w; ++i) c[y * w + i] = x;\n"
    "  const int both = threadIdx.y * blockDim.x + threadIdx.x;\n"
    "}\n";

}  // namespace

TEST_CASE("the axes of a variable are those of what sets it, by way of others, too") {
  CHECK(axes_of_variable(kSweep, 5, "y") == "y");
  CHECK(axes_of_variable(kSweep, 5, "x") == "x");
  CHECK(axes_of_variable(kSweep, 6, "both") == "xy");
}

TEST_CASE("the step of a loop ends with its head") {
  const std::string loop = "void k(int n) {\n  for (int x = threadIdx.x; x < n; x += f(1))\n    at = threadIdx.y;\n}\n";
  CHECK(axes_of_variable(loop, 3, "x") == "x");
}

TEST_CASE("a variable that no part of a launch sets has no axis, and one that is set later has none yet") {
  CHECK(axes_of_variable(kSweep, 5, "i").empty());
  CHECK(axes_of_variable(kSweep, 5, "n").empty());
  CHECK(axes_of_variable(kSweep, 5, "both").empty());
  CHECK(axes_of_variable(kSweep, 5, "h").empty());
  CHECK(axes_of_variable(kSweep, 0, "y").empty());
  CHECK(axes_of_variable(kSweep, 99, "y").empty());
}
