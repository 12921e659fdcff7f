#include "patch/operators/exchange_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_exchanges {
namespace {

Texts exchanged_in(std::string_view code) {
  return changed(add_exchanges, code);
}

TEST_CASE("neighbours of one type are exchanged in a call") {
  CHECK(exchanged_in("g(m, n);") == Texts{"g(n, m);"});
  CHECK(exchanged_in("g(x, y, m + 1, p);") == Texts{"g(y, x, m + 1, p);", "g(x, y, p, m + 1);"});
  CHECK(exchanged_in("cudaMemset(x, 0, n * sizeof(float));") == Texts{"cudaMemset(x, n * sizeof(float), 0);"});
  CHECK(exchanged_in("between(mark_[0], mark_[1]);") == Texts{"between(mark_[1], mark_[0]);"});
  CHECK(exchanged_in("g<int>(m,\n n);") == Texts{"g<int>(n,\n m);"});
}

TEST_CASE("so are a launch's blocks and threads, the numbers of dim3, and the names of a binding") {
  CHECK(exchanged_in("g<<<blocks, threads>>>(x, m);") == Texts{"g<<<threads, blocks>>>(x, m);"});
  CHECK(exchanged_in("dim3 b(32, 8);") == Texts{"dim3 b(8, 32);"});
  CHECK(exchanged_in("dim3 grid((p + 15) / 16, tiles(m));") == Texts{"dim3 grid(tiles(m), (p + 15) / 16);"});
  CHECK(exchanged_in("const auto [a, b] = g(n);") == Texts{"const auto [b, a] = g(n);"});
  CHECK(exchanged_in("Shape s{m, n};") == Texts{"Shape s{n, m};"});
}

TEST_CASE("the words name both") {
  const std::vector<Patch> patches = patches_of(add_exchanges, "void f(int a, int b) { g(a, b); }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0].words == "`a` and `b` exchanged");
  CHECK(patches[0].kind == PatchKind::exchange);
  CHECK(patches[0].begin == 25);
}

TEST_CASE("the words name the places of what is long") {
  const std::vector<Patch> patches =
      patches_of(add_exchanges, "void f(int a, int b) { dim3 c((a + 255) / 256 * number_of_parts, (b + 255) / 256); }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0].words == "values 1 and 2 of these brackets exchanged");
}

TEST_CASE("so are two indices side by side, but not an array's sizes") {
  const std::string tile = "__shared__ float t[T][K]; ";
  CHECK(exchanged_in(tile + "t[m][n + 1] = t[m][m];") == Texts{tile + "t[n + 1][m] = t[m][m];"});
  CHECK(exchanged_in("float t[TILE_W][TILE_H];") == Texts{"float t[TILE_H][TILE_W];"});
}

TEST_CASE("what differs in type stays where it is") {
  CHECK(exchanged_in("cudaMalloc(&a, n); g(x, n); g(x, z); h(m, 0.5f);").empty());
  CHECK(exchanged_in("cudaMemcpy(x, z, n * sizeof(float), cudaMemcpyHostToDevice);").empty());
  CHECK(exchanged_in("g(m, \"a, b\", n); g(d.data(), n); shuffle(0xffffffff, m);").empty());
}

TEST_CASE("where the order does not matter, nothing is exchanged") {
  CHECK(exchanged_in("min(m, n); std::max<int>(m, n); printf(\"%d %d\", m, n); g(m, m);").empty());
}

TEST_CASE("no parameters, templates, captures, nor what is outside of functions") {
  CHECK(exchanged_in("auto g = [m, n](int a, int b) { return a; }; h<m, n>(p); if (m, n) return;").empty());
  CHECK(patches_of(add_exchanges, "int a = g(b, c);\nvoid h(int b, int c);\n#define F(b, c) g(b, c)\n").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_exchanges
