// One line for each form, as the PTX ISA has it.
#include "oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "byte_float.h"
#include "rounded.h"

namespace cudalabs::reference {
namespace {

// The 19 bits of a tf32 number in the upper bits of a single-precision one: a mantissa of 10 bits, as many exponents.
std::uint64_t tf32(std::uint64_t bits, bool (*up)(std::uint64_t kept, std::uint64_t rest)) {
  const std::uint64_t kept = bits >> 13;
  return (kept + (up(kept, bits & 0x1FFF) ? 1 : 0)) << 13;
}
bool infinite_or_nan(std::uint64_t bits) {
  return (~bits & 0x7F80'0000) == 0;
}
bool half_or_more(std::uint64_t, std::uint64_t rest) {
  return rest >= 0x1000;
}
bool nearest_even(std::uint64_t kept, std::uint64_t rest) {
  return rest > 0x1000 || (rest == 0x1000 && (kept & 1) != 0);
}
bool never(std::uint64_t, std::uint64_t) {
  return false;
}

// Of a NaN `.rna` keeps what it has room for; `.rn` and `.rz` make one of it.
std::uint64_t tf32_away(std::uint64_t bits) {
  return tf32(bits, infinite_or_nan(bits) ? &never : &half_or_more);
}
std::uint64_t tf32_of_number(std::uint64_t bits, bool (*up)(std::uint64_t kept, std::uint64_t rest)) {
  if (!infinite_or_nan(bits)) return tf32(bits, up);
  return (bits & 0x7F'FFFF) == 0 ? bits : 0x7FFF'E000;
}

std::uint64_t tf32_relu(std::uint64_t bits, bool (*up)(std::uint64_t kept, std::uint64_t rest)) {
  const bool nan = infinite_or_nan(bits) && (bits & 0x7F'FFFF) != 0;
  return (bits & 0x8000'0000) != 0 && !nan ? 0 : tf32_of_number(bits, up);
}

// A double of which only the upper 32 bits count, before and after. NaN has those of single precision's.
std::uint64_t of_upper_half(std::uint64_t bits, double (*function)(double)) {
  const auto without_subnormal = [](double value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, value) : value;
  };
  const double value = std::bit_cast<double>(bits >> 32 << 32);
  const double result = without_subnormal(function(without_subnormal(value)));
  return std::isnan(result) ? 0x7FFF'FFFF'0000'0000 : std::bit_cast<std::uint64_t>(result) >> 32 << 32;
}

// Of each pair of bytes the larger one; `sign` is the bit that makes a byte small.
std::uint64_t largest_bytes(const Arguments& arguments, std::uint64_t sign) {
  std::uint64_t result = 0;
  for (unsigned at = 0; at < 32; at += 8) {
    const std::uint64_t a = (arguments[0] >> at & 0xFF) ^ sign, b = (arguments[1] >> at & 0xFF) ^ sign;
    result |= ((a < b ? b : a) ^ sign) << at;
  }
  return result;
}

// Pairs of numbers of a byte: the first of two operands, or the upper half of one, becomes the upper byte.
template <const ByteFormat& kFormat, bool kRelu>
std::vector<Oracle> byte_float_lines(const std::string& format) {
  const std::string relu = kRelu ? ".relu" : "", to = "cvt.rn.satfinite" + relu + "." + format;
  const auto of_floats = [](const Arguments& a) {
    return byte_of(kFormat, number_of(kSingle, a[0]), kRelu) << 8 | byte_of(kFormat, number_of(kSingle, a[1]), kRelu);
  };
  const auto of_halves = [](const Arguments& a) {
    return byte_of(kFormat, number_of(kHalf, a[0] >> 16), kRelu) << 8 |
           byte_of(kFormat, number_of(kHalf, a[0] & 0xFFFF), kRelu);
  };
  const auto to_halves = [](const Arguments& a) {
    return half_of(kFormat, a[0] >> 8, kRelu) << 16 | half_of(kFormat, a[0] & 0xFF, kRelu);
  };
  return {{to + ".f32", "hff", of_floats, false, false},
          {to + ".f16x2", "hr", of_halves, false, false},
          {"cvt.rn" + relu + ".f16x2." + format, "rh", to_halves, false, false}};
}

std::vector<Oracle> lines() {
  std::vector<Oracle> all{
      {"cvt.rna.tf32.f32", "rf", [](const Arguments& a) { return tf32_away(a[0]); }},
      {"cvt.rn.tf32.f32", "rf", [](const Arguments& a) { return tf32_of_number(a[0], &nearest_even); }, true},
      {"cvt.rz.tf32.f32", "rf", [](const Arguments& a) { return tf32_of_number(a[0], &never); }, true},
      {"cvt.rn.relu.tf32.f32", "rf", [](const Arguments& a) { return tf32_relu(a[0], &nearest_even); }, false, false},
      {"cvt.rz.relu.tf32.f32", "rf", [](const Arguments& a) { return tf32_relu(a[0], &never); }, false, false},
      {"vmax4.u32.u32.u32", "rrrr", [](const Arguments& a) { return largest_bytes(a, 0); }},
      {"vmax4.s32.s32.s32", "rrrr", [](const Arguments& a) { return largest_bytes(a, 0x80); }},
      {"rcp.approx.ftz.f64", "ee",
       [](const Arguments& a) { return of_upper_half(a[0], [](double x) { return 1 / x; }); }, true},
      {"rsqrt.approx.ftz.f64", "ee",
       [](const Arguments& a) { return of_upper_half(a[0], [](double x) { return 1 / std::sqrt(x); }); }, true},
  };
  for (const auto& more : {byte_float_lines<kE4M3, false>("e4m3x2"), byte_float_lines<kE4M3, true>("e4m3x2"),
                           byte_float_lines<kE5M2, false>("e5m2x2"), byte_float_lines<kE5M2, true>("e5m2x2")}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

Type type_of(char letter) {
  switch (letter) {
    case 'h':
      return Type::b16;
    case 'r':
    case 'n':
    case 'm':
    case 't':
      return Type::b32;
    case 'd':
      return Type::b64;
    case 'f':
      return Type::f32;
    case 'e':
      return Type::f64;
    case 'p':
    case 'P':
      return Type::pred;
    default:
      throw std::invalid_argument(std::string("no operand is called ") + letter);
  }
}

}  // namespace

std::span<const Oracle> oracles() {
  static const std::vector<Oracle> kOracles = lines();
  return kOracles;
}

const Oracle* find_oracle(const vgpu::ptx::Instruction& instruction) {
  std::string form = instruction.opcode;
  for (const std::string& suffix : instruction.suffixes) form += "." + suffix;
  const auto found = std::ranges::find(oracles(), form, &Oracle::form);
  return found == oracles().end() ? nullptr : &*found;
}

Signature signature_of(const Oracle& oracle) {
  Signature signature{type_of(oracle.operands[0]), {}};
  for (const char letter : oracle.operands.substr(1)) signature.sources.push_back(type_of(letter));
  return signature;
}

}  // namespace cudalabs::reference
