// The line of a kernel that changes a variable of the device.
#include "source/device_variable_text.h"

#include "catch.h"

namespace cudalabs::test::of_device_variable {
namespace {

std::optional<VariableChange> change(const std::string& line, const std::string& host = "") {
  return only_change_of(
      "__device__ unsigned count;\n__global__ void k(int n) {\n" + line + "\n}\nvoid f() {\n" + host + "\n}\n",
      "count");
}

}  // namespace

TEST_CASE("an atomic function changes what it gets a pointer to") {
  CHECK(change("  last = atomicInc(&count, gridDim.x) == gridDim.x - 1;") ==
        VariableChange{3, 21, "atomicInc", "gridDim.x"});
  CHECK(change("  atomicAdd( &count, 1);") == VariableChange{3, 15, "atomicAdd", "1"});
}

TEST_CASE("assignments and steps change a variable") {
  for (const char* line : {"  count = 1;", "  count += 2;", "  ++count;", "  count--;", "  count <<= 1;"}) {
    CAPTURE(line);
    const auto found = change(line);
    REQUIRE(found);
    CHECK(found->line == 3);
    CHECK(found->atomic.empty());
  }
}

TEST_CASE("an element of an array is a part of the variable") {
  CHECK(change("  atomicInc(&count[kind], gridDim.x);") == VariableChange{3, 14, "atomicInc", "gridDim.x"});
  CHECK(change("  count[f(n)] = 1;"));
  CHECK_FALSE(change("  n = count[0];"));
  CHECK_FALSE(change("  n = count[0] == 1;"));
  CHECK_FALSE(change("  n = count[0"));
}

TEST_CASE("readings, and what the host does, change nothing") {
  for (const char* line : {"  if (count == n) return;", "  n = count;", "  if (count >= n) return;",
                           "  if (count <= n) return;", "  n = n & count;", "  return count;"}) {
    CAPTURE(line);
    CHECK_FALSE(change(line));
  }
  CHECK_FALSE(change("", "  cudaMemcpyFromSymbol(&n, count, 4);\n  count = 1;"));
}

TEST_CASE("nothing is said of several changes, of pointers that go elsewhere, and of another variable of the name") {
  CHECK_FALSE(change("  atomicAdd(&count, 1);\n  if (n == 0) count = 0;"));
  CHECK_FALSE(change("  atomicAdd(&count, 1);\n  step(&count);"));
  CHECK_FALSE(change("  unsigned* p = &count;\n  atomicAdd(&count, 1);"));
  CHECK_FALSE(change("  int count = 0;\n  count += n;"));
}

}  // namespace cudalabs::test::of_device_variable
