// Casts that cut a product or quotient of `float`, and others.
#include "source/float_cut.h"

#include <string>

#include "catch.h"

namespace cudalabs {
namespace {

/// In a helper of the device.
FloatCut cut_in(const std::string& statement) {
  static std::string code;  // the result points into it
  code = "__device__ int row_of(int i, float inverse) {\n  " + statement + "\n}\n";
  return only_float_cut(code).value_or(FloatCut{});
}

TEST_CASE("a cast of a product or quotient of `float` is found", "[source]") {
  const FloatCut cut = cut_in("return static_cast<int>(i * inverse);");
  CHECK(cut.function == "row_of");
  CHECK(cut.value == "i * inverse");
  CHECK(cut.line == 2);
  CHECK(cut.column == 10);
  CHECK(cut_in("int row = (int)(i * inverse);").value == "i * inverse");
  CHECK(cut_in("return int(floorf(i * inverse));").value == "floorf(i * inverse)");
  CHECK(cut_in("const float x = p; return (unsigned) (i / x);").value == "i / x");
}

TEST_CASE("other casts are none, and of several none is known", "[source]") {
  CHECK(cut_in("return static_cast<int>(inverse);").value.empty());
  CHECK(cut_in("return static_cast<int>(i * 2);").value.empty());
  CHECK(cut_in("return static_cast<float>(i * inverse);").value.empty());
  CHECK(cut_in("return static_cast<int>(roundf(i * inverse));").value.empty());
  CHECK(cut_in("return static_cast<int>(i * inverse + 0.5f);").value.empty());
  CHECK(cut_in("int a = int(i * inverse), b = int(i * inverse);").value.empty());
  CHECK_FALSE(only_float_cut("int host(int i, float x) { return int(i * x); }"));
}

}  // namespace
}  // namespace cudalabs
