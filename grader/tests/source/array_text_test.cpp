// Elements of arrays that are found in the text, and what their subscripts multiply by.
#include "source/array_text.h"

#include <string>

#include "catch.h"

namespace cudalabs {
namespace {

std::vector<Stride> strides(const std::string& subscript) {
  static const std::string kCode = "constexpr int PITCH = 64 + 4;\nint used;\n";
  return strides_of(subscript, 2, SourceNumbers(kCode));
}

std::optional<Stride> apart(const std::string& text) {
  static const std::string kCode = "constexpr int SIDE = 64;\nint used;\n";
  return taken_apart_by(text, "e", 2, SourceNumbers(kCode));
}

TEST_CASE("elements of an array are found with their subscripts", "[source]") {
  const std::string code = "float t[8][9]; t[y][x + f(1)] = 0; if (t[0][1] == s.t[2]) a = t[i].x[j]; t[1] [2] += 1;";
  const auto elements = elements_of(code, "t", 0, code.size());
  REQUIRE(elements);
  REQUIRE(elements->size() == 5);
  CHECK((*elements)[1].text == "t[y][x + f(1)]");
  CHECK((*elements)[1].stored);
  CHECK((*elements)[1].subscripts == std::vector<std::string_view>{"y", "x + f(1)"});
  CHECK_FALSE((*elements)[2].stored);
  CHECK((*elements)[3].text == "t[i].x[j]");
  CHECK((*elements)[4].stored);
}

TEST_CASE("an array that may be written anywhere has no known elements", "[source]") {
  for (const std::string code : {"t[1] = 0; fill(t);", "float* p = &t[1];", "float* p = t + 1;", "t[1 = 0;"})
    CHECK_FALSE(elements_of(code, "t", 0, code.size()));
  const std::string both = "if (a && t[1]) b();";
  CHECK(elements_of(both, "t", 0, both.size()));
}

TEST_CASE("constants that something is multiplied by are strides", "[source]") {
  CHECK(strides("k * PITCH + x + 16 * s") == std::vector<Stride>{{"PITCH", 68}, {"16", 16}});
  CHECK(strides("(ty + 16 * r) * PITCH + k") == std::vector<Stride>{{"PITCH", 68}});
  CHECK(strides("e").empty());
  CHECK(strides("y * width + x").empty());
  CHECK(strides("2 * PITCH").empty());
  CHECK(strides("1 * x + y").empty());
}

TEST_CASE("what a sum multiplies is found", "[source]") {
  CHECK(factors_in("k * p + at.col") == std::vector<std::string_view>{"k", "p"});
  CHECK(factors_in("(r + 1) * n * m") == std::vector<std::string_view>{"(r + 1)", "n", "m"});
  CHECK(factors_in("i + j").empty());
}

TEST_CASE("the number by which a place is taken apart is found", "[source]") {
  CHECK(apart("int k = e / SIDE, j = e % SIDE;") == Stride{"SIDE", 64});
  CHECK_FALSE(apart("int k = e / SIDE, j = e % 32;"));
  CHECK_FALSE(apart("int k = e / SIDE;"));
  CHECK_FALSE(apart("int k = e / n, j = e % n;"));
  CHECK_FALSE(apart("int k = e / SIDE, j = e % SIDE, l = e / 16;"));
  CHECK_FALSE(apart("int k = f / SIDE, j = f % SIDE;"));
}

}  // namespace
}  // namespace cudalabs
