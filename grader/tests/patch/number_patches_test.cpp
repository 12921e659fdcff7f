#include "patch/operators/number_patches.h"

#include <catch2/catch.hpp>

#include "patch/operators/byte_count_patches.h"
#include "patch/operators/deduced_zero_patches.h"
#include "patched_texts.h"

namespace cudalabs::patch::test::of_numbers {
namespace {

Texts numbered(std::string_view code) {
  return changed(add_numbers, code);
}

TEST_CASE("an integer may stand where a fraction is meant") {
  CHECK(numbered("auto sum = 0;") == Texts{"auto sum = 0.0f;"});
  CHECK(numbered("*x = 1 / 3 * g(m);") == Texts{"*x = 1.0f / 3 * g(m);"});
  CHECK(numbered("for (auto k = 0; k < n; ++k) m = 8 / 2;").empty());
}

TEST_CASE("rounding up adds one less than the divisor") {
  CHECK(numbered("m = (n + 15) / 32;") == Texts{"m = (n + 31) / 32;"});
  CHECK(numbered("m = (n + T) / T;") == Texts{"m = (n + T - 1) / T;"});
  CHECK(numbered("m = (n + 31) / 32 + (n + T - 1) / T + (77 * p + 128) / 256;").empty());
}

TEST_CASE("a bound, a start and an index from the end may be one off") {
  CHECK(numbered("if (m < n - 1) return;") == Texts{"if (m < n) return;"});
  CHECK(numbered("for (int k = 1; k < n; ++k) g(k);") == Texts{"for (int k = 0; k < n; ++k) g(k);"});
  CHECK(numbered("*y = x[n - p];") == Texts{"*y = x[n - 1 - p];"});
  CHECK(numbered("atomicInc(&c, gridDim.x);") == Texts{"atomicInc(&c, gridDim.x - 1);"});
}

TEST_CASE("the words name the number") {
  const std::vector<Patch> patches = patches_of(add_numbers, "void f() { if (a <= b - 1) { } }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == Patch{PatchKind::number, 21, 4, "", "`b` in place of `b - 1`"});
}

TEST_CASE("other numbers stay") {
  CHECK(numbered("int a = 0; g(1, 0); puts(\"1 / 3\"); m = n - 1; x[n - 1 - m] = 8 / 2;").empty());
  CHECK(numbered("for (int d = 1; d < n; d *= 2) g(d); if (m < n - 1 + p) return; atomicInc(&c, n - 1);").empty());
  CHECK(patches_of(add_numbers, "auto a = 0;\n#define B (1 / 3)\n").empty());
}

TEST_CASE("a template deduces int from 0") {
  const std::string_view code =
      "template <int N, typename T> T sum(const float* a, T b) { return b; }\n"
      "void f() { sum<4>(a, 0); sum<0>(0, 1); g(0); std::accumulate(a, b, 0); }";
  const std::vector<Patch> patches = patches_of(add_deduced_zeros, code);
  REQUIRE(patches.size() == 2);
  CHECK(patches[0].begin == code.find("0); sum"));
  CHECK(patches[1].begin == code.find("0); }"));
  CHECK(patches[1].words == "`0.0f` in place of `0`");
}

TEST_CASE("elements may be counted where bytes are meant") {
  const auto sized = [](std::string_view code) { return changed(add_byte_counts, code); };
  CHECK(sized("cudaMalloc(&x, n);") == Texts{"cudaMalloc(&x, n * sizeof(float));"});
  CHECK(sized("cudaMemcpy(x, z, n + 1, cudaMemcpyHostToDevice);") ==
        Texts{"cudaMemcpy(x, z, (n + 1) * sizeof(float), cudaMemcpyHostToDevice);"});
  CHECK(sized("g<<<m, n, 2 * p>>>(x);") == Texts{"g<<<m, n, 2 * p * sizeof(float)>>>(x);"});
  CHECK(sized("g<<<m, n, p>>>(x);") == Texts{"g<<<m, n, p * sizeof(float)>>>(x);"});
  CHECK(sized("cudaMalloc(&x, n * sizeof(float)); cudaMalloc(&x, bytes); cudaMalloc(&other, n);").empty());
  CHECK(sized("unsigned char* c; cudaMalloc(&c, n); int s = n * sizeof(int); cudaMalloc(&x, s);").empty());
}

TEST_CASE("the size of an element may be meant where that of a pointer is taken") {
  const auto sized = [](std::string_view code) { return changed(add_byte_counts, code); };
  CHECK(sized("const float* a = g(); size_t s = n * sizeof(a);") ==
        Texts{"const float* a = g(); size_t s = n * sizeof(*a);"});
  CHECK(sized("float a[4]; float b = 0; size_t s = sizeof(a) + sizeof(b) + sizeof(float*) + sizeof *x;").empty());
  const std::vector<Patch> patches = patches_of(add_byte_counts, "void f(float* a) { g(2 * sizeof(a)); }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0].words == "`sizeof(*a)` in place of `sizeof(a)`");
}

}  // namespace
}  // namespace cudalabs::patch::test::of_numbers
