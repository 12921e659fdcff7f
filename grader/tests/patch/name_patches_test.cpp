#include "patch/operators/name_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_names {
namespace {

Texts named(std::string_view code) {
  return changed(add_names, code);
}

TEST_CASE("a parameter may be meant for another one") {
  CHECK(named("if (m < n) x[0] = 1;") == Texts{"if (p < n) x[0] = 1;", "if (m < p) x[0] = 1;"});
  CHECK(named("x[m * 4] = 1;") == Texts{"x[n * 4] = 1;", "x[p * 4] = 1;"});
  CHECK(named("g(m, n, p);").empty());
  CHECK(named("g(m, m, p);") == Texts{"g(n, m, p);", "g(m, n, p);", "g(m, m, n);"});
}

TEST_CASE("locals may be, where their values are computed alike") {
  const std::string decl = "int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 4 + threadIdx.x, other = g(); ";
  CHECK(named(decl + "x[row] = 1;") == Texts{decl + "x[col] = 1;"});
  CHECK(named(decl + "x[other] = t[row][col];").empty());
}

TEST_CASE("constants and macros may be") {
  const std::string code = "constexpr int A = 4, B = 8;\nvoid f() { g(A * 2); h(B / 2); int c[A]; }";
  const std::vector<Patch> patches = patches_of(add_names, code);
  REQUIRE(patches.size() == 2);
  CHECK(applied(code, patches[0]).find("g(B * 2)") != std::string::npos);
  CHECK(patches[0].words == "`B` in place of `A`");
  const std::string macros = "#define A 4\n#define B (A + 1)\n#define C(x) x\nvoid f() { g(A * A); t[B * i] = 1; }";
  CHECK(patches_of(add_names, macros).size() == 3);
}

TEST_CASE("of several constants the partner may be") {
  const std::string code =
      "constexpr int TILE_W = 32, TILE_H = 8, CHANNELS = 3;\n"
      "void f() { int y = blockIdx.y * TILE_W + threadIdx.y; float c[TILE_H]; g(CHANNELS * y); }";
  const std::vector<Patch> patches = patches_of(add_names, code);
  REQUIRE(patches.size() == 1);
  CHECK(patches[0].words == "`TILE_H` in place of `TILE_W`");
}

TEST_CASE("rounding up takes the same name twice") {
  const std::string code =
      "struct S { static constexpr int BM = 4, BK = 8; };\n"
      "int f(int n) { g(S::BK); return (n + S::BM - 1) / S::BM; }";
  const std::vector<Patch> patches = patches_of(add_names, code);
  REQUIRE(patches.size() == 1);
  CHECK(applied(code, patches[0]).find("(n + S::BK - 1) / S::BK") != std::string::npos);
}

TEST_CASE("members of one class may be meant for one another") {
  const std::string code = "struct S { int rows, cols; float b; };\nvoid f(S s, S t) { g(s.rows * 2); h(t.cols * 2); }";
  CHECK(patches_of(add_names, code).size() == 2);
}

TEST_CASE("what another function is given may be another parameter, even of many") {
  const std::string own =
      "float fetch(const float* a, int r, int rows) { return 0; }\ntemplate <int N> int two(int, int) { }\n"
      "void twice(int n) { }\nvoid twice(float n) { }\n";
  const auto words = [&](const std::string& body) {
    Texts found;
    const std::string code = own + "void f(const float* x, int h, int w, int m, int n, int p) { " + body + " }";
    for (const Patch& patch : patches_of(add_names, code)) found.push_back(patch.words);
    return found;
  };
  CHECK(words("fetch(x, 0, m);") ==
        Texts{"`h` in place of `m` for `rows` of `fetch`", "`w` in place of `m` for `rows` of `fetch`",
              "`n` in place of `m` for `rows` of `fetch`", "`p` in place of `m` for `rows` of `fetch`"});
  CHECK(words("fetch<<<1, 32>>>(x, h, m);").size() == 6);
  // A parameter without a name, a part of an argument, another function, and several of one name.
  CHECK(words("two<4>(0, m);").empty());
  CHECK(words("fetch(x, 0, m * 2);").empty());
  CHECK(words("other(m); a.fetch[m] = 0; twice(m); (m);").empty());
  CHECK(words("fetch(x, 0, 1, m);").empty());
}

TEST_CASE("many arguments are read all the same") {
  std::string code = "void g(int a) { }\nvoid f(int m, int n) { g(m";
  while (code.size() < 1 << 18) code += ", m";
  CHECK(patches_of(add_names, code + "); }").size() <= 200'000);
}

TEST_CASE("what is declared, assigned, called, captured or of another type stays") {
  CHECK(named("int a = 0; a = m; float b = 1.0f, c = 1.0f; g(b); m(1); h([n] { return 1; });").empty());
  CHECK(named("for (int k = 0; k < 4; ++k) x[k] = y[k];").empty());
  CHECK(named("float* q = x; g(\"m, n\"); int &r = m; delete q;").empty());
  CHECK(patches_of(add_names, "constexpr int A = 4, B = 8, C = A * 2;").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_names
