#include "patch/device_change.h"

#include <string>
#include <string_view>

#include "catch/catch.h"

using namespace cudalabs::patch;

namespace {

/// Of a change of the last `what` in the code.
bool is_of_device(std::string_view code, std::string_view what, std::string_view replacement = "x") {
  const std::size_t begin = code.rfind(what);
  REQUIRE(begin != code.npos);
  return changes_device_code_only(
      code, {PatchKind::name, begin, what.size(), std::string(replacement), "`x` in place of it"});
}

}  // namespace

TEST_CASE("what lies in the body of a kernel is device code") {
  CHECK(is_of_device("__global__ void k(int* p, int n) { if (a < n) *p = 1; }", "a"));
  CHECK(is_of_device("template <int N>\n__global__ void __launch_bounds__(256)\nk(int* p) {\n  *p = a;\n}\n", "a"));
  CHECK(is_of_device("__device__ int f(int b) { return a + b; }\nint g() { return 1; }", "a"));
  CHECK(is_of_device("struct Tile { int cells[9]; __device__ int at(int i) const { return cells[a]; } };", "a"));
  CHECK(is_of_device("int n;\n__global__ void k(int* p) { auto set = [&](int i) { p[a] = i; }; set(1); }", "a"));
}

TEST_CASE("what lies outside of it is not, and what the host has, too") {
  CHECK_FALSE(is_of_device("__global__ void k(int* p, int a) { *p = 1; }", "a"));
  CHECK_FALSE(is_of_device("__host__ __device__ int f(int b) { return a + b; }", "a"));
  CHECK_FALSE(is_of_device("int f(int b) { return a + b; }", "a"));
  CHECK_FALSE(is_of_device("__global__ void k(int* p) { *p = 1; }\nvoid f(int* p) { k<<<a, 1>>>(p); }", "a"));
  CHECK_FALSE(is_of_device("constexpr int kBlock = a;\n__global__ void k(int* p) { *p = kBlock; }", "a"));
  CHECK_FALSE(is_of_device("void f() { run([=] __device__(int i) { return i + a; }); }", "a"));
  CHECK_FALSE(is_of_device("__global__ void k(int* p);\nint f() { return a; }", "a"));
  CHECK_FALSE(is_of_device("struct S { int a; };", "a"));
}

TEST_CASE("macros may be the host's, wherever they are defined") {
  CHECK_FALSE(is_of_device("__global__ void k(int* p) {\n  #define N a\n  *p = N;\n}", "a"));
  CHECK_FALSE(is_of_device("__global__ void k(int* p) {\n#define N \\\n  a\n  *p = N;\n}", "a"));
  CHECK(is_of_device("__global__ void k(int* p) {\n#define N 1\n  *p = N + a;\n}", "a"));
}

TEST_CASE("a change that reaches over the end of a body is of the host, too") {
  CHECK_FALSE(is_of_device("__global__ void k(int* p) { *p = 1; } int f() { return 1; }", "1; } int"));
  CHECK_FALSE(is_of_device("__global__ void k(int* p) { *p = 1; ", "1"));
  CHECK_FALSE(is_of_device("", ""));
}
