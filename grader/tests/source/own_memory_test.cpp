// Whether a pointer has the address of what the function allocates with it, and of nothing else.
#include "source/own_memory.h"

#include <string>

#include "catch.h"

namespace cudalabs::test::of_own_memory {
namespace {

/// In line 3 memory is allocated.
bool own(const std::string& rest, const std::string& pointer = "p",
         const std::string& declared = "float *p = nullptr, *q = NULL; float* b[2]; S s;") {
  const std::string code = "void g(float* p) {\n  p = q; }  void f(float* out, int n) { " + declared +
                           "\n  cudaMalloc(&" + pointer + ", n);\n" + rest + "}\nvoid h(float* p) { p = q; }\n";
  return has_own_memory(code, 3, "cudaFree", pointer);
}

}  // namespace

TEST_CASE("a pointer that nothing else is assigned to has its own memory") {
  CHECK(own("k<<<1, n>>>(p); if (p == q) return; cudaFree(p);"));
  CHECK(own("cudaFree(p); p = nullptr; if (n) p = NULL; p = 0;"));
  CHECK(own("q = p; swap(q, out); p2 = q; x.p = q; const float* pp = q; puts(\"p = q;\");"));
  CHECK(own("b[1] = q;", "b[0]"));
  CHECK(own("s.other = q; data = q;", "s.data"));
  CHECK(own("for (int i = 0; i < n; ++i) p2 = p;"));
}

TEST_CASE("a pointer that is given another address may have other memory") {
  CHECK_FALSE(own("", "p", "float* p = out;"));
  CHECK_FALSE(own("if (n > 9) p = q;"));
  CHECK_FALSE(own("std::swap(p, q);"));
  CHECK_FALSE(own("swap(q , p);"));
  CHECK_FALSE(own("b[0] = q;", "b[0]"));
  CHECK_FALSE(own("s.data = q;", "s.data"));
  CHECK_FALSE(own("", "out"));  // the caller's
}

TEST_CASE("a pointer that is allocated with in each round of a loop has its own memory where the loop frees it") {
  const auto in_loop = [](const std::string& rest) {
    return has_own_memory(
        "void f(int n) {\n  float* p = nullptr;\n  for (int i = 0; i < n; ++i) {\n    cudaMalloc(&p, n);\n    " + rest +
            "\n}\n",
        4, "cudaFree", "p");
  };
  CHECK(in_loop("cudaFree(p); }"));
  CHECK_FALSE(in_loop("all.push_back(p); }"));
  CHECK_FALSE(in_loop("cudaFree(q); }"));
  CHECK_FALSE(in_loop("} cudaFree(p);"));
}

TEST_CASE("where the text has no such line or function, the pointer is not known") {
  CHECK_FALSE(has_own_memory("", 1, "cudaFree", "p"));
  CHECK_FALSE(has_own_memory("int x;\nvoid f() {\n}\n", 1, "cudaFree", "p"));
  CHECK_FALSE(has_own_memory("void f() {\n\n}\n", 2, "cudaFree", ""));
}

}  // namespace cudalabs::test::of_own_memory
