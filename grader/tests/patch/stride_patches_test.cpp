#include "patch/operators/stride_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_strides {
namespace {

Texts strided(std::string_view code) {
  return changed(add_strides, code);
}

TEST_CASE("a factor that the same sum has elsewhere may be forgotten") {
  CHECK(strided("for (int j = 0; j < 4; ++j) { if (m + j * BX < n) x[m + j] = y[j]; }") ==
        Texts{"for (int j = 0; j < 4; ++j) { if (m + j * BX < n) x[m + j * BX] = y[j]; }"});
  CHECK(strided("if (m + j < n) x[m + j * blockDim.x] = z[m + j * blockDim.x];") ==
        Texts{"if (m + j * blockDim.x < n) x[m + j * blockDim.x] = z[m + j * blockDim.x];"});
  CHECK(strided("x[j + m] = z[j * BX + m];") == Texts{"x[j * BX + m] = z[j * BX + m];"});
}

TEST_CASE("the last of several elements is as far away as the index says") {
  CHECK(strided("if (m + 4 - 1 < n) x[m + k * 32] = 1;") == Texts{"if (m + (4 - 1) * 32 < n) x[m + k * 32] = 1;"});
  CHECK(strided("if (m + 3 < n) x[m + k * 32] = 1;") == Texts{"if (m + 3 * 32 < n) x[m + k * 32] = 1;"});
  CHECK(strided("if (m + COUNT - 1 < n) x[m + k * blockDim.x] = 1;") ==
        Texts{"if (m + (COUNT - 1) * blockDim.x < n) x[m + k * blockDim.x] = 1;"});
}

TEST_CASE("other sums stay") {
  CHECK(strided("if (m + j * BX < n) x[m + j * BX] = y[j];").empty());
  CHECK(strided("x[m + j] = z[p + j * BX]; x[m + i] = z[p + j * BX]; x[p - j] = 1;").empty());
  CHECK(strided("x[m] = z[m + j * BX]; x[m + 0] = 1; x[m * j + 1] = 2;").empty());
  CHECK(strided("x[m + j] = z[m + j * BX / 2];").empty());
}

TEST_CASE("the sum of another function says nothing") {
  CHECK(patches_of(add_strides, "void f(float* x) { x[m + j] = 1; } void g(float* x) { x[m + j * 4] = 1; }").empty());
}

TEST_CASE("the words quote the whole sum") {
  const auto patches = patches_of(add_strides, "void f(float* x) { x[m + j] = x[m + j * 4]; }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0].words == "`m + j * 4` in place of `m + j`");
}

TEST_CASE("long texts of sums are read all the same") {
  std::string code = "void f(float* x) { ";
  for (std::size_t i = 0; code.size() < 1 << 20; ++i) code += "x[m + j] = x[m + j * " + std::to_string(i) + "]; ";
  CHECK(patches_of(add_strides, code + "}").size() <= 1'000);
}

}  // namespace
}  // namespace cudalabs::patch::test::of_strides
