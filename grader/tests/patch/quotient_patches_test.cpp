#include "patch/operators/quotient_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_quotients {
namespace {

/// `m`, `n` and `p` are whole numbers.
Texts quotients(std::string_view code) {
  return changed(add_quotients, code);
}

}  // namespace

TEST_CASE("a product with a float reciprocal becomes a quotient of whole numbers") {
  CHECK(
      quotients("float inverse = 1.0f / n; int row = (int)((float)m * inverse);") ==
      Texts{"float inverse = 1.0f / n; int row = (int)(m / n);", "float inverse = 1.0f / n; int row = (int)(m / p);"});
  CHECK(quotients("double w = n; p = static_cast<int>(m / w);").front() ==
        "double w = n; p = static_cast<int>(m / n);");
  CHECK(quotients("double w = n; p = int(w * float(m + 1));").front() == "double w = n; p = int((m + 1) / n);");
}

TEST_CASE("members of a class are divided by, wherever they are declared") {
  const std::string code =
      "class Width {\n  __device__ int row_of(long i) const { return (int)((float)i * inverse_); }\n  int width_;\n"
      "  float inverse_;\n};\n";
  const std::vector<Patch> patches = patches_of(add_quotients, code);
  REQUIRE(patches.size() == 1);
  CHECK(patches.front().words == "`i / width_` in place of `(float)i * inverse_`");
}

TEST_CASE("what has no float, what is a sum, and what is no cast stay") {
  CHECK(quotients("p = (int)(m * n);").empty());
  CHECK(quotients("float w = n; p = (int)(m * w + 0.5f);").empty());
  CHECK(quotients("float w = n; float v = (float)(m * w);").empty());
  CHECK(quotients("float w = n, v = 2; p = (int)(v * w);").empty());
  CHECK(quotients("float w = n; p = (int)(w / m);").empty());
  CHECK(quotients("float w = n; p = (int)(2.5f * w);").empty());
  CHECK(quotients("float w = n; g(m * w);").empty());
}

TEST_CASE("a text that is made to be long to read is read") {
  for (const std::string part : {"(int)(m * w);", "(int)(", "int((float)m * w);", "float w;"}) {
    std::string text = "float w; ";
    while (text.size() < (1U << 20)) text += part;
    CHECK(quotients(text).size() <= 100);
  }
}

}  // namespace cudalabs::patch::test::of_quotients
