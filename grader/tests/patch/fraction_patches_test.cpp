#include "patch/operators/fraction_patches.h"

#include <catch2/catch.hpp>

#include "patch/candidates.h"
#include "patched_texts.h"

namespace cudalabs::patch::test::of_fractions {
namespace {

/// `m` and `n` are whole numbers, `x` and `z` point to `float`.
Texts changed_types(std::string_view code) {
  return changed(add_fractions, code);
}

TEST_CASE("what gets values with fractions becomes a float or a double") {
  CHECK(changed_types("__shared__ int c[4]; c[n] = m < n ? z[m] : 0.0f;") ==
        Texts{"__shared__ float c[4]; c[n] = m < n ? z[m] : 0.0f;"});
  CHECK(changed_types("int s = 0; s += z[m]; s += z[n];") == Texts{"float s = 0; s += z[m]; s += z[n];"});
  CHECK(changed_types("unsigned long s, t; s = 0.5;") == Texts{"float s, t; s = 0.5;"});
  CHECK(changed_types("double d = 1; long t[2][2]; t[m][n] = z[m] * d;") ==
        Texts{"double d = 1; double t[2][2]; t[m][n] = z[m] * d;"});
  CHECK(changed_types("int level = z[m] * 2;") == Texts{"float level = z[m] * 2;"});
}

TEST_CASE("what is whole, made whole, a pointer, or no variable of its own stays") {
  CHECK(changed_types("int s = m; int t[2]; t[0] = s + n;").empty());
  CHECK(changed_types("int s = (int)z[m]; int t = static_cast<int>(0.5f * n);").empty());
  CHECK(changed_types("float s = 0; s += z[m]; x[m] = z[m];").empty());
  CHECK(changed_types("long s = z - x; int t = sizeof(z[0]);").empty());
  CHECK(changed_types("int s = 0x1.8; a.b = z[m]; *x = z[m];").empty());
  CHECK(changed_types("int a, s; s = z[m];").empty());
  CHECK(changed_types("auto s = z[m]; T t = z[m]; std::size_t u = z[m];").empty());
  CHECK(changed_types("m = z[n];").empty());
  CHECK(changed_types("int c[4]; if (c[n] == z[m]) return;").empty());
}

TEST_CASE("the words name the variable") {
  const auto patches = patches_of(add_fractions, "void f(float* x) { int c[4];\n c[0] = x[1]; }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0].words == "`float` in place of `int` as the type of `c`");
}

TEST_CASE("the declaration of an array that a line uses is near to it") {
  const std::string code =
      "void f(float* x, int n) {\n  int c[4];\n  if (n < 4 && n > 1) n = 2;\n\n  c[0] = x[1];\n}\n";
  std::size_t number = 0;
  for (const Patch& patch : candidates(code, {.lines = {5}}, 48)) {
    if (patch.words.find("as the type of `c`") != std::string::npos) break;
    ++number;
  }
  CHECK(number < 12);
}

TEST_CASE("long texts of assignments are read all the same") {
  std::string code = "void f(float* x, int n) { int c[4]; ";
  while (code.size() < 1 << 20) code += "c[0] = x[1] + x[n]; ";
  CHECK(patches_of(add_fractions, code + "}").size() <= 1);
}

}  // namespace
}  // namespace cudalabs::patch::test::of_fractions
