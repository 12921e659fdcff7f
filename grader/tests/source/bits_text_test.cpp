// Where device code computes the bits of a `float`.
#include "source/bits_text.h"

#include <string>

#include "catch.h"

using namespace cudalabs;

namespace {

const std::string kUnion =
    "union word {\n"
    "  float f;\n"
    "  unsigned int bits;\n"
    "};\n"
    "__device__ float twice(float v) {\n"
    "  union word w;\n"
    "  w.f = v;\n";

}  // namespace

TEST_CASE("the line is found that changes the bits of a float") {
  CHECK(only_float_bits(kUnion + "  w.bits += 1u << 23;\n  return w.f;\n}\n") == 8);
  CHECK(only_float_bits(kUnion + "  w.bits++;\n  return w.f;\n}\n") == 8);
  CHECK(only_float_bits(
            "__global__ void k(float* out) {\n  out[0] = __int_as_float(__float_as_int(out[1]) + 5);\n}\n") == 2);
}

TEST_CASE("no line is told of several, of the host's code, or where bits are only read") {
  CHECK_FALSE(only_float_bits(kUnion + "  w.bits += 1;\n  w.bits |= 2;\n  return w.f;\n}\n"));
  CHECK_FALSE(only_float_bits(kUnion + "  return w.bits == 0 ? 0 : w.f;\n}\n"));
  CHECK_FALSE(only_float_bits("union word { float f; int bits; };\nvoid f() {\n  w.bits = 1;\n}\n"));
  CHECK_FALSE(only_float_bits("struct word { float f; int bits; };\n__device__ void f() {\n  w.bits = 1;\n}\n"));
  CHECK_FALSE(only_float_bits("union word { double f; int bits; };\n__device__ void f() {\n  w.bits = 1;\n}\n"));
  CHECK_FALSE(only_float_bits("__device__ int f(float x) {\n  return __float_as_int(x);\n}\n"));
  CHECK_FALSE(only_float_bits("union word"));
  CHECK_FALSE(only_float_bits(""));
}
