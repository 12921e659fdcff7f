#include "patch/operators/bound_patches.h"

#include <catch2/catch.hpp>

#include "patch/candidates.h"
#include "patched_texts.h"

namespace cudalabs::patch::test::of_bounds {
namespace {

/// In a kernel that multiplies a matrix of m * n elements by one of n * p.
Texts bounded(std::string_view code) {
  const std::string before =
      "__global__ void k(const float* a, const float* b, float* c, int m, int n, int p) { __shared__ float t[32][32]; "
      "int x = threadIdx.x, y = threadIdx.y, row = y, col = x; ";
  const std::string behind = " if (row < m && col < p) c[row * p + col] = t[y][x]; }";
  const std::string whole = before + std::string(code) + behind;
  Texts texts;
  for (const Patch& patch : patches_of(add_bounds, whole)) {
    const std::string text = applied(whole, patch);
    texts.push_back(text.substr(before.size(), text.size() - before.size() - behind.size()));
  }
  return texts;
}

TEST_CASE("the other dimension of an access is asked for by the bound of what its index is made of") {
  const Texts texts =
      bounded("for (int s = 0; s < n; s += 32) { int r = s + y; if (col < p) t[y][x] = b[r * p + col]; }");
  REQUIRE(texts.size() == 3);
  CHECK(texts[0] ==
        "for (int s = 0; s < n; s += 32) { int r = s + y; if (col < p && r < n) t[y][x] = b[r * p + col]; }");
}

TEST_CASE("a bound that the index has elsewhere comes first") {
  const Texts texts = bounded("t[y][x] = col < p ? b[row * p + col] : 0.0f;");
  REQUIRE(!texts.empty());
  CHECK(texts[0] == "t[y][x] = col < p && row < m ? b[row * p + col] : 0.0f;");
}

TEST_CASE("a size that no condition asks for comes before those that others do") {
  const Texts texts = bounded("int r = 32 + y; if (col < p) { t[y][x] = b[r * p + col]; }");
  REQUIRE(!texts.empty());
  CHECK(texts[0] == "int r = 32 + y; if (col < p && r < n) { t[y][x] = b[r * p + col]; }");
}

TEST_CASE("what is asked for here, around it or before it is not asked for again") {
  CHECK(bounded("if (row < m && col < p) t[y][x] = a[row * n + col];").empty());
  CHECK(bounded("if (row < m) { if (col < p) t[y][x] = a[row * n + col]; }").empty());
  CHECK(bounded("if (row >= m) return; if (col < p) t[y][x] = a[row * n + col];").empty());
}

TEST_CASE("counters within, tiles, and conditions of another kind get no bound") {
  CHECK(bounded("if (col < p) { for (int r = 0; r < n; ++r) t[y][x] += b[r * p + col]; }").empty());
  CHECK(bounded("if (x < 16) t[y][x] = t[y][x + 16];").empty());
  CHECK(bounded("if (col < p || row < m) t[y][x] = b[row * p + col];").empty());
  CHECK(bounded("if (x == 0) t[y][x] = b[row * p + col];").empty());
}

TEST_CASE("functions of the host are left alone") {
  CHECK(patches_of(add_bounds, "void f(float* c, int h, int w) { int y = 1, x = 2; if (x < w) c[y * w + x] = 1; }")
            .empty());
}

TEST_CASE("the words say what is asked") {
  const auto patches = patches_of(
      add_bounds, "__global__ void k(float* c, int h, int w) { int y = 1, x = 2; if (x < w) c[y * w + x] = 1; }");
  REQUIRE(!patches.empty());
  CHECK(patches[0].words == "`y < h` asked as well");
  CHECK(patches[0].kind == PatchKind::connective);
}

TEST_CASE("long texts of accesses under conditions are read all the same") {
  std::string code = "__global__ void k(float* c, int h, int w) { int y = 1, x = 2; ";
  while (code.size() < 1 << 20) code += "if (x < w) c[y * w + x] = x < w ? c[y * w + x] : 0; ";
  CHECK(patches_of(add_bounds, code + "}").size() <= 1'000);
}

}  // namespace
}  // namespace cudalabs::patch::test::of_bounds
