// Ways out of a function past what frees its memory.
#include "source/early_exit.h"

#include <string>

#include "catch.h"

namespace cudalabs::test::of_early_exit {
namespace {

/// In line 3 `p` is allocated.
std::vector<EarlyExit> exits_of(const std::string& code, const std::string& pointer = "p") {
  return early_exits(code, 3, "cudaMalloc", "cudaFree", pointer);
}

std::string function(const std::string& rest, const std::string& allocation = "  cudaMalloc(&p, n);\n") {
  return "void f(int n) {\n  float* p = nullptr; cudaError_t err;\n" + allocation + rest + "}\n";
}

}  // namespace

TEST_CASE("a `return` between an allocation and its release is found", "[source]") {
  const std::string code =
      function("  if (n == 1) {\n    k<<<1, n>>>(p);\n    return;\n  }\n  k<<<n, n>>>(p);\n  cudaFree(p);\n");
  CHECK(exits_of(code) == std::vector<EarlyExit>{{"return", 6, 9, 0}});
  CHECK(exits_of(function("  if (n == 1) return;\n  cudaFree(q);\n")).empty());
}

TEST_CASE("an exit for an error is told from others", "[source]") {
  const std::string own = function("    return;\n  }\n  if (n == 1) return;\n  cudaFree(p);\n",
                                   "  if (cudaMalloc(&p, n) != cudaSuccess) {\n");
  CHECK(exits_of(own) == std::vector<EarlyExit>{{"return", 4, 7, 3}, {"return", 6, 7, 0}});
  const std::string status = function(
      "  err = cudaMalloc(&q, n);\n  if (err != cudaSuccess) goto done;\n  if (err) return;\n  cudaFree(p);\ndone:\n"
      "  cudaFree(q);\n");
  CHECK(exits_of(status) == std::vector<EarlyExit>{{"goto done", 5, 7, 4}, {"return", 6, 7, 5}});
}

TEST_CASE("a pointer in an array is told from the others there", "[source]") {
  const auto exits = [](const std::string& between) {
    return exits_of(function("  cudaMalloc(&p[1], n);\n  if (n == 1) goto done;\n" + between +
                                 "  cudaFree(p[0]);\n  cudaFree(p[1]);\n  return;\ndone:\n  puts(text);\n",
                             "  cudaMalloc((void**)&p[0], n);\n"),
                    "p[0]");
  };
  CHECK(exits("  q = p[turn];\n") == std::vector<EarlyExit>{{"goto done", 5, 7, 0}});
  CHECK(exits("  p[1] = nullptr;\n").size() == 1);
  for (const std::string change : {"  p[turn] = nullptr;\n", "  p[0] = q;\n", "  allocate(&p[i]);\n", "  set(p);\n"})
    CHECK(exits(change).empty());
  CHECK(exits_of(function("  if (n == 1) return;\n  cudaFree(p[1]);\n"), "p[0]").empty());
}

TEST_CASE("an exit that releases, or jumps to what does, is none", "[source]") {
  CHECK(exits_of(function("  if (n == 1) {\n    cudaFree(p);\n    return;\n  }\n  cudaFree(p);\n")).empty());
  CHECK(exits_of(function("  if (n == 1) goto done;\n  k();\ndone:\n  cudaFree(p);\n")).empty());
  CHECK(exits_of(function("  if (n == 1) return cudaFree(p);\n  cudaFree(p);\n")).empty());
  CHECK(exits_of(function("  auto g = [&](int i) { if (i == 1) return; h(); };\n  g(n);\n  cudaFree(p);\n")).empty());
  // The other part of the condition does not release for this one.
  CHECK(exits_of(function("  if (n == 1) cudaFree(p);\n  else return;\n  cudaFree(p);\n")).size() == 1);
}

TEST_CASE("where it is not sure nothing is found", "[source]") {
  const std::string exit = "  if (n == 1) return;\n";
  CHECK(exits_of(function(exit + "  if (n > 2) cudaFree(p);\n")).empty());
  CHECK(exits_of(function(exit + "  for (int i = 0; i < n; ++i) cudaFree(p);\n")).empty());
  CHECK(exits_of(function(exit + "  std::swap(p, q);\n  cudaFree(p);\n")).empty());
  CHECK(exits_of(function(exit + "  p = q;\n  cudaFree(p);\n")).empty());
  CHECK(exits_of(function(exit + "  cudaMalloc(&p, n);\n  cudaFree(p);\n")).empty());
  CHECK(exits_of(function(exit + "  if (n == 2) throw 1;\n  cudaFree(p);\n")).empty());
  CHECK(exits_of(function(exit + "  do { if (n == 2) break; cudaFree(p); } while (false);\n")).empty());
  CHECK(exits_of(function("again:\n  if (n == 1) goto again;\n" + exit + "  cudaFree(p);\n")).size() == 0);
  CHECK(exits_of(function(exit + "  cudaFree(p);\n"), "").empty());
  CHECK(exits_of("", "p").empty());
}

}  // namespace cudalabs::test::of_early_exit
