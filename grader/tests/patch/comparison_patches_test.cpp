#include "patch/operators/comparison_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_comparisons {
namespace {

Texts compared(std::string_view code) {
  return changed(add_comparisons, code);
}

TEST_CASE("a bound may be one off") {
  CHECK(compared("for (int k = 0; k + 4 < n; k += 4) g(k);") == Texts{"for (int k = 0; k + 4 <= n; k += 4) g(k);"});
  CHECK(compared("for (int k = 0; k <= n; ++k) g(k);") == Texts{"for (int k = 0; k < n; ++k) g(k);"});
  CHECK(compared("if (m > n) return;") == Texts{"if (m >= n) return;"});
  CHECK(compared("for (int d = 1; d < n; d *= 2) g(d);") == Texts{"for (int d = 1; d <= n; d *= 2) g(d);"});
  CHECK(compared("for (int k = n; k > 0; --k) g(k);") == Texts{"for (int k = n; k >= 0; --k) g(k);"});
  CHECK(compared("for (int d = n; d >= 1; d /= 2) g(d);") == Texts{"for (int d = n; d > 1; d /= 2) g(d);"});
}

TEST_CASE("a count that is taken down before it is compared with 0 leaves out the first") {
  CHECK(compared("while (--m > 0) g(m);") == Texts{"while (--m >= 0) g(m);"});
  CHECK(compared("for (int k = n; --k > 0;) g(k);") == Texts{"for (int k = n; --k >= 0;) g(k);"});
  CHECK(compared("while (m-- > 0) g(m); while (m > 0) g(--m);").empty());
}

TEST_CASE("the opposite may be tested") {
  CHECK(compared("if (g(m) == cudaSuccess) puts(a);") == Texts{"if (g(m) != cudaSuccess) puts(a);"});
  CHECK(compared("return m % 4 != 0;") == Texts{"return m % 4 == 0;"});
}

TEST_CASE("a check of errors gets the other sign only where that does not leave out work") {
  CHECK(compared("if (cudaStreamCreate(&s) != cudaSuccess) s = nullptr;").empty());
  CHECK(compared("if (e != cudaSuccess || cudaSuccess != d) { puts(cudaGetErrorString(e)); cudaFree(a); return; } "
                 "k<<<1, 1>>>();")
            .empty());
  CHECK(compared("if (e == cudaSuccess) e = cudaMemcpy(a, b, n, d);").empty());
  CHECK(compared("if (e == cudaError::cudaSuccess) { k<<<1, 1>>>(); }").empty());
  CHECK(compared("if (e != cudaSuccess) { k<<<1, 1>>>(); }") == Texts{"if (e == cudaSuccess) { k<<<1, 1>>>(); }"});
  CHECK(compared("if (cudaMalloc(&a, n) == cudaSuccess) { puts(b); return; }") ==
        Texts{"if (cudaMalloc(&a, n) != cudaSuccess) { puts(b); return; }"});
  CHECK(compared("return cudaMalloc(&a, n) != cudaSuccess;") == Texts{"return cudaMalloc(&a, n) == cudaSuccess;"});
}

TEST_CASE("the words name both comparisons") {
  const std::vector<Patch> patches = patches_of(add_comparisons, "void f() { if (a <= b) { } }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == Patch{PatchKind::comparison, 17, 2, "<", "`<` in place of `<=`"});
}

TEST_CASE("bounds that are nearly always meant stay") {
  CHECK(compared("if (m < n && m >= 0) return; for (int i = 0; i < n - 1; ++i) g(i);").empty());
  CHECK(compared("for (int d = n; d > 0; d /= 2) g(d); for (int k = n; k >= 0; --k) g(k);").empty());
  CHECK(compared("if (n > 0) g(n); if (threadIdx.x == 0) g(m); while (m >= n) g(m);").empty());
}

TEST_CASE("templates, strings and other signs are no comparisons") {
  CHECK(compared("std::vector<int> a; g<T, 4>(m); k<8><<<m, n>>>(p); a->b(m << n); puts(\"a <= b\");").empty());
  CHECK(compared("while (*s != '\\0') ++s; static_assert(T <= 8);").empty());
  CHECK(patches_of(add_comparisons, "bool a = b <= c; template <int N> struct S { };").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_comparisons
