// How far from the true value a GPU's approximations may be.
#include "error_bounds.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string_view>

namespace cudalabs::conformance {

namespace {

using vgpu::ptx::Type;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;

double power_of_two(double exponent) {
  return std::exp2(exponent);
}

struct FunctionUlps {
  double in_single, in_double;
};
// The tables of the CUDA C++ programming guide 13; what is not in here is exact or has a bound of its own below.
const std::map<std::string_view, FunctionUlps> kUlps{
    {"acos", {2, 2}},         {"acosh", {4, 3}},  {"asin", {2, 2}},   {"asinh", {3, 3}},    {"atan", {2, 2}},
    {"atan2", {3, 2}},        {"atanh", {3, 2}},  {"cbrt", {1, 1}},   {"cos", {2, 2}},      {"cosh", {2, 1}},
    {"cospi", {1, 2}},        {"erf", {2, 2}},    {"erfc", {4, 5}},   {"erfcinv", {4, 6}},  {"erfcx", {4, 4}},
    {"erfinv", {2, 5}},       {"exp", {2, 1}},    {"exp10", {2, 1}},  {"exp2", {2, 1}},     {"expm1", {1, 1}},
    {"hypot", {3, 2}},        {"lgamma", {6, 4}}, {"log", {1, 1}},    {"log10", {2, 1}},    {"log1p", {1, 1}},
    {"log2", {1, 1}},         {"norm3d", {3, 2}}, {"norm4d", {3, 2}}, {"normcdf", {5, 5}},  {"normcdfinv", {5, 8}},
    {"pow", {4, 2}},          {"rcbrt", {1, 1}},  {"rhypot", {2, 1}}, {"rnorm3d", {2, 1}},  {"rnorm4d", {2, 1}},
    {"rsqrt", {2, 1}},        {"sin", {2, 2}},    {"sincos", {2, 2}}, {"sincospi", {1, 2}}, {"sinh", {3, 2}},
    {"sinpi", {1, 2}},        {"tan", {4, 2}},    {"tanh", {2, 1}},   {"tgamma", {5, 10}},  {"cyl_bessel_i0", {6, 6}},
    {"cyl_bessel_i1", {6, 6}}};

ErrorBound bessel_bound(std::string_view name, bool single, double order, double x) {
  const double absolute = single ? 2.2e-6 : 5e-12;
  if (name == "jn") return {.absolute = absolute};
  // Near 0 the guide has a bound of yn in single precision only; held to it, double precision does well. Of the orders
  // 0 and 1 yn is y0 and y1, which have a bound of their own.
  if (name == "yn" && order > 1) {
    if (std::fabs(x) < order) return {.ulps = std::ceil(2 + 2.5 * order), .absolute = absolute};
    return {.absolute = absolute};
  }
  return std::fabs(x) < 8 ? ErrorBound{.ulps = single ? 9.0 : 7.0} : ErrorBound{.absolute = absolute};
}

// Of the functions that -use_fast_math takes.
ErrorBound fast_bound(std::string_view name, double x, double y) {
  const auto within = [&](double low, double high) { return x >= low && x <= high; };
  if (name == "sinf" || name == "cosf" || name == "sincosf") {
    return {.absolute = within(-kPi, kPi) ? power_of_two(name == "sinf" ? -21.41 : -21.19) : kUnbounded};
  }
  if (name == "tanf") {  // sine over cosine
    const double about = 1 + std::fabs(std::tan(x));
    return {.absolute = within(-kPi, kPi) ? power_of_two(-20.5) * about * about : kUnbounded};
  }
  if (name == "expf") return {.ulps = 2 + std::floor(std::fabs(1.173 * x))};
  if (name == "exp10f") return {.ulps = 2 + std::floor(std::fabs(2.97 * x))};
  const bool near_one = within(0.5, 2);
  if (name == "logf") return {.ulps = near_one ? 0.0 : 3.0, .absolute = near_one ? power_of_two(-21.41) : 0};
  if (name == "log2f") return {.ulps = near_one ? 0.0 : 2.0, .absolute = near_one ? power_of_two(-22) : 0};
  if (name == "log10f") return {.ulps = near_one ? 0.0 : 3.0, .absolute = near_one ? power_of_two(-24) : 0};
  if (name == "powf") {  // 2 to the power of y times the logarithm of x
    return {.relative = power_of_two(-21) * (1 + std::fabs(y) * std::fmax(1, std::fabs(std::log2(x))))};
  }
  return {.ulps = 2};  // a division
}

ErrorBound function_bound(std::string_view name, bool single, double x, double y) {
  name.remove_prefix(std::string_view("__nv_").size());
  if (name.starts_with("fast_")) return fast_bound(name.substr(5), x, y);
  const bool letter = name.ends_with("f") && name != "erf";
  const std::string_view stem = single && letter ? name.substr(0, name.size() - 1) : name;
  if (stem.size() == 2 && (stem[0] == 'j' || stem[0] == 'y')) {
    return stem[1] == 'n' ? bessel_bound(stem, single, x, y) : bessel_bound(stem, single, 0, x);
  }
  const auto found = kUlps.find(stem);
  if (found == kUlps.end()) return {};
  // Between the zeros of lgamma nothing is said.
  const bool among_zeros = single ? x > -10.001 && x < -2.264 : x > -23.0001 && x < -2.2637;
  if (stem == "lgamma" && among_zeros) return {.absolute = kUnbounded};
  return {.ulps = single ? found->second.in_single : found->second.in_double};
}

ErrorBound instruction_bound(std::string_view text, Type type, double x) {
  const auto is = [&](std::string_view opcode) { return text.starts_with(opcode); };
  const bool half = type == Type::f16 || type == Type::f16x2, brain = type == Type::bf16 || type == Type::bf16x2;
  // Of double precision only the upper half of the bits is computed.
  if (type == Type::f64) return {.relative = power_of_two(-19)};
  if (is("ex2")) {
    if (half || brain) return {.relative = power_of_two(half ? -9.9 : -7)};
    return {.ulps = 2};
  }
  if (is("tanh")) {
    if (half || brain) return {.absolute = power_of_two(half ? -10.987 : -8)};
    return {.relative = power_of_two(-11)};
  }
  if (is("sin") || is("cos")) {
    const double size = std::fabs(x);
    return {.absolute = size <= 2 * kPi ? power_of_two(-20.5) : size <= 100 * kPi ? power_of_two(-14.7) : kUnbounded};
  }
  if (is("lg2")) {
    const bool near_one = x > 0.5 && x < 2;
    return near_one ? ErrorBound{.absolute = power_of_two(-22)} : ErrorBound{.relative = power_of_two(-22)};
  }
  if (is("rsqrt")) return {.relative = power_of_two(-22.9)};
  if (is("sqrt")) return {.relative = power_of_two(-23)};
  if (is("rcp")) return {.ulps = 1};
  return {.ulps = 2};  // div
}

template <class Bits>
RealValue placed(double value, Bits bits) {
  constexpr Bits kSign = Bits(Bits{1} << (8 * sizeof(Bits) - 1));
  const auto magnitude = static_cast<std::int64_t>(bits & Bits(~kSign));
  return {value, (bits & kSign) != 0 ? -1 - magnitude : magnitude};
}

RealValue half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31  ? (fraction == 0 ? kUnbounded : std::numeric_limits<double>::quiet_NaN())
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return placed(std::copysign(size, (bits & 0x8000) != 0 ? -1.0 : 1.0), bits);
}

RealValue brain_value(std::uint16_t bits) {
  return placed(double{std::bit_cast<float>(std::uint32_t{bits} << 16)}, bits);
}

}  // namespace

std::vector<RealValue> real_values(const Slot& slot, std::uint64_t bits) {
  const auto lower = static_cast<std::uint16_t>(bits), upper = static_cast<std::uint16_t>(bits >> 16);
  switch (slot.type) {
    case Type::f16:
      return {half_value(lower)};
    case Type::f16x2:
      return {half_value(lower), half_value(upper)};
    case Type::bf16:
      return {brain_value(lower)};
    case Type::bf16x2:
      return {brain_value(lower), brain_value(upper)};
    case Type::f32:
      return {placed(double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))}, static_cast<std::uint32_t>(bits))};
    case Type::f64:
      return {placed(std::bit_cast<double>(bits), bits)};
    default:
      return {};
  }
}

ErrorBound error_bound(const InstructionForm& form, const OperandTable& operands, std::size_t row) {
  const auto operand = [&](std::size_t index) {
    if (index >= form.operands.size()) return 0.0;
    const std::uint64_t bits = operands.columns[index][row];
    const std::vector<RealValue> values = real_values(form.operands[index], bits);
    return values.empty() ? static_cast<double>(static_cast<std::int32_t>(bits)) : values[0].value;
  };
  const Type type = form.result.bits != 0 ? form.result.type : form.stores.front().type;
  if (form.shape == Shape::function) return function_bound(form.text, type == Type::f32, operand(0), operand(1));
  return instruction_bound(form.text, type, operand(0));
}

}  // namespace cudalabs::conformance
