#include "patch/operators/arithmetic_patches.h"

#include <catch2/catch.hpp>

#include "patch/operators/parenthesis_patches.h"
#include "patch/operators/rounding_patches.h"
#include "patched_texts.h"

namespace cudalabs::patch::test::of_arithmetic {
namespace {

TEST_CASE("an operator may be taken for another one") {
  const auto computed = [](std::string_view code) { return changed(add_arithmetic, code); };
  CHECK(computed("s[m + n] = 1;") == Texts{"s[m - n] = 1;"});
  CHECK(computed("if (m - n < p) return;") == Texts{"if (m + n < p) return;"});
  CHECK(computed("int t = g(); h(t / 32);") == Texts{"int t = g(); h(t % 32);"});
  CHECK(computed("g(n / sizeof(float));") == Texts{"g(n * sizeof(float));"});
  CHECK(computed("if (m | n) return;") == Texts{"if (m & n) return;"});
  CHECK(computed("g(h(m) | s[n]);") == Texts{"g(h(m) & s[n]);"});
  CHECK(computed("g(cudaEventBlockingSync & cudaEventDisableTiming);") ==
        Texts{"g(cudaEventBlockingSync | cudaEventDisableTiming);"});
}

TEST_CASE("an assignment may be taken for another one") {
  const auto assigned = [](std::string_view code) { return changed(add_arithmetic, code); };
  const std::string sum = "float s = 0; for (int k = 0; k < n; ++k) ";
  CHECK(assigned(sum + "s = x[k] * y[k];") == Texts{sum + "s += x[k] * y[k];"});
  CHECK(assigned("x[m] += s;") == Texts{"x[m] = s;"});
  CHECK(assigned("bool a = g(m); a = g(n);") == Texts{"bool a = g(m); a &= g(n);"});
  CHECK(assigned(sum + "{ s = s + x[k]; m = x[k] * 2; t[k] += s; }").empty());
  CHECK(assigned("float s = 0; s = x[m] * y[m]; bool a; a = g(m);").empty());
}

TEST_CASE("other operators stay") {
  const auto computed = [](std::string_view code) { return changed(add_arithmetic, code); };
  CHECK(computed("int t = g(); h(t / 32, t % 32); x[m * n + p] = m + n; float* q = &x; S& r = s;").empty());
  CHECK(computed("g(-m, *x, &y); puts(\"a | b\"); auto h = [&](S& a) { }; k<<<m + n, p>>>(x);").empty());
  CHECK(computed("g(cudaEventBlockingSync | cudaEventDisableTiming);").empty());
  CHECK(computed("g(std::ios::in | std::ios::out); g(m | FLAG); g(FLAG | n);").empty());
  CHECK(patches_of(add_arithmetic, "constexpr int A = B | C;\n#define D (B | C)\n").empty());
}

TEST_CASE("a number of parts may be rounded down by mistake") {
  const auto rounded = [](std::string_view code) { return changed(add_roundings, code); };
  CHECK(rounded("int b = n / T;") == Texts{"int b = (n + T - 1) / T;"});
  CHECK(rounded("g<<<n / 256, 256>>>(x);") == Texts{"g<<<(n + 255) / 256, 256>>>(x);"});
  CHECK(rounded("int q = n >> 2;") == Texts{"int q = (n + 3) >> 2;"});
  CHECK(rounded("dim3 g(p / b.x, 1);") == Texts{"dim3 g((p + b.x - 1) / b.x, 1);"});
}

TEST_CASE("what is rounded up already, an index or a thread's number is not rounded") {
  const auto rounded = [](std::string_view code) { return changed(add_roundings, code); };
  CHECK(rounded("int b = (n + T - 1) / T + (n - 1) / T, c = n / 4 * 4, d = n / T + (n % T != 0);").empty());
  CHECK(rounded("int w = threadIdx.x / 32, i = blockIdx.x, r = i / n; s[n / 2] = 1; g(blockDim.x / 32);").empty());
  CHECK(rounded("for (int e = p; e < m; e += 1) g(e / 4); g(32 / T, 1.0f / n, x / n);").empty());
}

TEST_CASE("brackets may be missing around a sum") {
  const auto bracketed = [](std::string_view code) { return changed(add_parentheses, code); };
  CHECK(bracketed("int b = n + T - 1 / T;") == Texts{"int b = (n + T - 1) / T;"});
  CHECK(bracketed("x[m + 1 * n] = 2;") == Texts{"x[(m + 1) * n] = 2;"});
  CHECK(bracketed("int b = 1 + n / T, c = (n + T - 1) / T, d = m + 4 * n, e = m * n + p; g(x - y / 2.0f);").empty());
}

TEST_CASE("a cast may come too late") {
  const auto bracketed = [](std::string_view code) { return changed(add_parentheses, code); };
  CHECK(bracketed("g((size_t)(m * n));") == Texts{"g((size_t)m * n);"});
  CHECK(bracketed("g(static_cast<float>(m / n));") == Texts{"g(static_cast<float>(m) / n);"});
  CHECK(bracketed("g((size_t)(m), (int)(m * n), (size_t)(m - n), (size_t)m * n, h(m * n));").empty());
}

TEST_CASE("the words name the change") {
  const std::vector<Patch> patches = patches_of(add_roundings, "void f(int n) { int a = n / 4; }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == Patch{PatchKind::arithmetic, 24, 1, "(n + 3)", "`(n + 3)` in place of `n`"});
}

}  // namespace
}  // namespace cudalabs::patch::test::of_arithmetic
