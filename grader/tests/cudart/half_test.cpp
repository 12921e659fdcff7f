// Half precision on the host: every value there and back, and rounding at every place where it turns.
#include "vgpu/cudart/include/cuda_fp16.h"

#include <cmath>
#include <limits>

#include "catch/catch.h"

namespace {

__half half_of(unsigned int bits) {
  return __ushort_as_half(static_cast<unsigned short>(bits));
}
unsigned int bits_of(__half value) {
  return __half_as_ushort(value);
}

}  // namespace

TEST_CASE("every half survives the way through float") {
  unsigned int wrong = 0;
  for (unsigned int bits = 0; bits < 0x10000; ++bits) {
    const __half value = half_of(bits);
    const float wide = __half2float(value);
    if (__hisnan(value)) {
      wrong += !std::isnan(wide) || bits_of(__float2half(wide)) != 0x7fff;
    } else {
      wrong += bits_of(__float2half(wide)) != bits;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("floats between two halves go to the nearer one, from the middle to the even one") {
  unsigned int wrong = 0;
  for (unsigned int bits = 0; bits < 0x7c00; ++bits) {
    // Above the largest half the next one would be 65536; from its middle on, values are infinite.
    const float low = __half2float(half_of(bits)), high = bits == 0x7bff ? 65536.0f : __half2float(half_of(bits + 1));
    const float middle = (low + high) / 2;
    const unsigned int even = bits % 2 == 0 ? bits : bits + 1;
    wrong += bits_of(__float2half(middle)) != even;
    wrong += bits_of(__float2half(std::nextafter(middle, 0.0f))) != bits;
    wrong += bits_of(__float2half(std::nextafter(middle, 1e9f))) != bits + 1;
    wrong += bits_of(__float2half(-middle)) != (even | 0x8000);
  }
  CHECK(wrong == 0);
}

TEST_CASE("values outside half's range") {
  CHECK(bits_of(__float2half(1e30f)) == 0x7c00);
  CHECK(bits_of(__float2half(-1e30f)) == 0xfc00);
  CHECK(bits_of(__float2half(std::numeric_limits<float>::infinity())) == 0x7c00);
  CHECK(bits_of(__float2half(1e-30f)) == 0);
  CHECK(bits_of(__float2half(-1e-30f)) == 0x8000);
  CHECK(bits_of(__float2half(std::numeric_limits<float>::denorm_min())) == 0);
  CHECK(__hisinf(half_of(0xfc00)) == -1);
  CHECK_FALSE(__hisnan(half_of(0x7c00)));
}

TEST_CASE("arithmetic and comparisons") {
  const __half a = 1.5f, b = 2.25f;
  CHECK(static_cast<float>(a + b) == 3.75f);
  CHECK(static_cast<float>(a - b) == -0.75f);
  CHECK(static_cast<float>(a * b) == 3.375f);
  CHECK(static_cast<float>(b / a) == 1.5f);
  CHECK(static_cast<float>(__hfma(a, b, a)) == 4.875f);
  CHECK(static_cast<float>(-a) == -1.5f);
  CHECK(static_cast<float>(__half(2048) + __half(1)) == 2048.0f);  // ties to even
  CHECK(static_cast<float>(__half(2050) + __half(1)) == 2052.0f);
  CHECK(a < b);
  CHECK(a <= a);
  CHECK(a != b);
  CHECK_FALSE(a == half_of(0x7fff));
  const __half2 pair = __hmul2(__halves2half2(a, b), __float2half2_rn(2.0f));
  CHECK(__low2float(pair) == 3.0f);
  CHECK(__high2float(pair) == 4.5f);
  CHECK(__half2int_rz(half_of(0xc0c0)) == -2);  // -2.375
  CHECK(__half2int_rn(half_of(0x4100)) == 2);   // 2.5
}
