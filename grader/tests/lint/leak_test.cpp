#include "lint/leak.h"

#include "catch.h"

using cudalabs::lint::leaks;

namespace {

const std::string kSkeleton = "__global__ void add(const float* a, float* c, int n) {\n  // your turn\n}\n";
const std::string kSolution =
    "// One thread an element.\n"
    "__global__ void add(const float* a, float* c, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // which element\n"
    "  if (i < n) c[i] = a[i] + offset;\n"
    "}\n";

bool leaked(const std::string& released) {
  return !leaks(kSolution, kSkeleton, released).empty();
}

}  // namespace

TEST_CASE("the skeleton's own code gives nothing away") {
  CHECK_FALSE(leaked(kSkeleton));
  CHECK_FALSE(leaked(""));
}

TEST_CASE("the solution gives itself away, however it is indented or commented out") {
  CHECK(leaks(kSolution, kSkeleton, kSolution).size() == 1);
  CHECK(leaked("//const int i=blockIdx.x*blockDim.x+threadIdx.x;\n\n//   if(i<n) c[i] = a[i] + offset;\n"));
  CHECK(leaked(" * const int i = blockIdx.x * blockDim.x + threadIdx.x;\n * if (i < n) c[i] = a[i] + offset;\n"));
}

TEST_CASE("a single line that both need is no leak, and neither is the wrong order") {
  CHECK_FALSE(leaked("const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"));
  CHECK_FALSE(leaked("if (i < n) c[i] = a[i] + offset;\nconst int i = blockIdx.x * blockDim.x + threadIdx.x;\n"));
}

TEST_CASE("where a few lines may be shown, more of them are a leak") {
  const std::string solution = "first = load(one);\nsecond = load(two);\nthird = first + second;\n";
  CHECK(leaks(solution, "", "first = load(one);\nsecond = load(two);\n", 3).empty());
  CHECK(leaks(solution, "", solution, 3).size() == 1);
  CHECK(leaks(solution, "", solution, 2).size() == 2);
  CHECK(leaks(solution, "", solution, 4).empty());
}
