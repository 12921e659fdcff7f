// libdevice's conversions between numbers, in a chosen rounding direction, and between their bits.
#include <bit>
#include <cmath>
#include <limits>

#include "vgpu/exec/builtins/directed_rounding.h"
#include "vgpu/exec/builtins/lane_function.h"

namespace cudalabs::vgpu::exec {
namespace {

/// As the hardware converts: out of range gives the nearest end, NaN gives 0 (in 64 bits the sign bit alone).
template <class From, class To, int kDirection>
To to_integer(From x) {
  if (std::isnan(x)) return sizeof(To) == 4 ? To{0} : static_cast<To>(std::uint64_t{1} << 63);
  const DirectedRounding rounding(kDirection);
  volatile From integral = std::nearbyint(x);
  // 2^31, 2^32, 2^63 or 2^64: the first number past the end, which unlike the last one is a floating-point number.
  const From past = std::ldexp(From{1}, std::numeric_limits<To>::digits);
  if (integral >= past) return std::numeric_limits<To>::max();
  if (integral < (std::is_signed_v<To> ? -past : From{0})) return std::numeric_limits<To>::min();
  return static_cast<To>(integral);
}

template <class From, class To, int kDirection>
To to_floating(From x) {
  const DirectedRounding rounding(kDirection);
  volatile To result = static_cast<To>(x);
  return result;
}

template <class To, class From>
To same_bits(From x) {
  return std::bit_cast<To>(x);
}

std::int32_t high_word(double x) {
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x) >> 32);
}
std::int32_t low_word(double x) {
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x));
}
double from_words(std::int32_t high, std::int32_t low) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 |
                               static_cast<std::uint32_t>(low));
}

template <class Floating>
void add_both_ways(BuiltinTable& table, const std::string& name) {
  using I32 = std::int32_t;
  using U32 = std::uint32_t;
  using I64 = std::int64_t;
  using U64 = std::uint64_t;
  for_each_rounding([&]<int kDirection>(const std::string& suffix) {
    add_function<&to_integer<Floating, I32, kDirection>>(table, "__nv_" + name + "2int" + suffix);
    add_function<&to_integer<Floating, U32, kDirection>>(table, "__nv_" + name + "2uint" + suffix);
    add_function<&to_integer<Floating, I64, kDirection>>(table, "__nv_" + name + "2ll" + suffix);
    add_function<&to_integer<Floating, U64, kDirection>>(table, "__nv_" + name + "2ull" + suffix);
    add_function<&to_floating<I32, Floating, kDirection>>(table, "__nv_int2" + name + suffix);
    add_function<&to_floating<U32, Floating, kDirection>>(table, "__nv_uint2" + name + suffix);
    add_function<&to_floating<I64, Floating, kDirection>>(table, "__nv_ll2" + name + suffix);
    add_function<&to_floating<U64, Floating, kDirection>>(table, "__nv_ull2" + name + suffix);
  });
}

}  // namespace

void add_conversions(BuiltinTable& table) {
  add_both_ways<float>(table, "float");
  add_both_ways<double>(table, "double");
  for_each_rounding([&]<int kDirection>(const std::string& suffix) {
    add_function<&to_floating<double, float, kDirection>>(table, "__nv_double2float" + suffix);
  });
  add_function<&same_bits<std::int32_t, float>>(table, "__nv_float_as_int");
  add_function<&same_bits<std::uint32_t, float>>(table, "__nv_float_as_uint");
  add_function<&same_bits<float, std::int32_t>>(table, "__nv_int_as_float");
  add_function<&same_bits<float, std::uint32_t>>(table, "__nv_uint_as_float");
  add_function<&same_bits<std::int64_t, double>>(table, "__nv_double_as_longlong");
  add_function<&same_bits<double, std::int64_t>>(table, "__nv_longlong_as_double");
  add_function<&high_word>(table, "__nv_double2hiint");
  add_function<&low_word>(table, "__nv_double2loint");
  add_function<&from_words>(table, "__nv_hiloint2double");
}

}  // namespace cudalabs::vgpu::exec
