// Floating-point arithmetic in single and double precision, as the section "Floating Point Instructions" of the PTX ISA
// has it.
#include <bit>
#include <cmath>
#include <limits>

#include "operation.h"
#include "rounded.h"

namespace cudalabs::reference {
namespace {

template <class Number>
using BitsOf = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;

template <class Number>
class FloatOperation {
  using Bits = BitsOf<Number>;
  static constexpr Bits kSign = Bits{1} << (8 * sizeof(Number) - 1);
  static constexpr Number kScale = Number{0x1p24F};

 public:
  FloatOperation(const Operation& operation, const Arguments& arguments)
      : op_(operation), a_(read(arguments[0])), b_(read(arguments[1])), c_(read(arguments[2])) {}

  std::optional<Outcome> result() const {
    const std::string& opcode = op_.opcode;
    const Rounding rounding = op_.rounding;
    if (opcode == "add") return number(reference::add(a_, b_, rounding));
    if (opcode == "sub") return number(reference::add(a_, -b_, rounding));
    if (opcode == "mul") return number(multiply(a_, b_, rounding), multiply(a_ * kScale, b_, rounding));
    if (opcode == "fma" || opcode == "mad") {
      return number(multiply_add(a_, b_, c_, rounding), multiply_add(a_ * kScale, b_, c_ * kScale, rounding));
    }
    if (opcode == "div" && !op_.approximate && !op_.full) {
      return number(divide(a_, b_, rounding), divide(a_ * kScale, b_, rounding));
    }
    if (opcode == "rcp" && !op_.approximate) {
      return number(divide(Number{1}, a_, rounding), divide(kScale, a_, rounding));
    }
    if (opcode == "sqrt" && !op_.approximate) return number(square_root(a_, rounding));
    if (opcode == "min") return extremum(true);
    if (opcode == "max") return extremum(false);
    if (opcode == "abs" || opcode == "neg") {  // additions of a zero, as far as NaN is concerned
      if (std::isnan(a_)) return bits(nan());
      return bits(opcode == "abs" ? bits_of(a_) & ~kSign : bits_of(a_) ^ kSign);
    }
    if (opcode == "copysign") return bits((bits_of(a_) & kSign) | (bits_of(b_) & ~kSign));
    if (opcode == "testp") return tested();
    return approximation();
  }

 private:
  static Bits bits_of(Number value) { return std::bit_cast<Bits>(value); }

  // copysign and testp look at the bits; everything else flushes its operands where it says so.
  Number read(std::uint64_t argument) const { return flushed(std::bit_cast<Number>(static_cast<Bits>(argument))); }

  Number flushed(Number value) const {
    return op_.ftz && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(Number{0}, value) : value;
  }

  static Outcome bits(Bits value) { return {value, false, false}; }

  // Single precision has one NaN. Double precision keeps that of an operand, quiet: of the second, else of the third,
  // else of the first one; a division of the first one, if it is any.
  Bits nan() const {
    if constexpr (sizeof(Number) == 4) return 0x7FFF'FFFF;
    constexpr auto kQuiet = static_cast<Bits>(0x0008'0000'0000'0000);
    const bool divides = op_.opcode == "div";
    for (const Number operand : {divides ? a_ : b_, divides ? b_ : c_, a_}) {
      if (std::isnan(operand)) return bits_of(operand) | kQuiet;
    }
    return static_cast<Bits>(0xFFF8'0000'0000'0000);
  }

  // `scaled`: the same result, kScale times as large, which rounding to a subnormal's last place does not make normal.
  Outcome number(Number value, Number scaled) const {
    const bool vanishes = op_.ftz && std::fabs(scaled) < std::numeric_limits<Number>::min() * kScale;
    return number(vanishes ? std::copysign(Number{0}, value) : value);
  }
  Outcome number(Number value) const {
    value = flushed(value);
    if (op_.saturate) value = value > 0 ? std::min(value, Number{1}) : Number{0};  // NaN becomes +0
    return bits(std::isnan(value) ? nan() : bits_of(value));
  }

  Outcome extremum(bool smaller) const {
    if (op_.propagate_nan && (std::isnan(a_) || std::isnan(b_))) return bits(nan());
    const Number a = op_.xorsign ? std::fabs(a_) : a_;
    const Number b = op_.xorsign ? std::fabs(b_) : b_;
    Number chosen = a;
    if (std::isnan(a)) {
      chosen = b;
    } else if (!std::isnan(b)) {
      const bool less = a < b || (a == b && std::signbit(a) && !std::signbit(b));  // -0 is less than +0
      chosen = less == smaller ? a : b;
    }
    if (std::isnan(chosen)) return bits(nan());
    if (op_.xorsign) chosen = std::copysign(chosen, std::signbit(a_) != std::signbit(b_) ? Number{-1} : Number{1});
    return bits(bits_of(chosen));
  }

  Outcome tested() const {
    const std::string& property = op_.mode;
    bool holds = false;
    if (property == "finite") holds = std::isfinite(a_);
    if (property == "infinite") holds = std::isinf(a_);
    if (property == "number") holds = !std::isnan(a_);
    if (property == "notanumber") holds = std::isnan(a_);
    if (property == "normal") holds = std::isnormal(a_) || a_ == 0;
    if (property == "subnormal") holds = std::fpclassify(a_) == FP_SUBNORMAL;
    return {holds ? 1u : 0u, false, false};
  }

  std::optional<Outcome> approximation() const {
    const std::string& opcode = op_.opcode;
    const double a = a_;
    const auto rounded = [&](double value) { return number(static_cast<Number>(value)); };
    if (opcode == "div" && op_.approximate && std::fabs(b_) > Number{0x1p126})
      return number(a_ * std::copysign(Number{0}, b_));
    if (opcode == "div") {
      const double quotient = a / static_cast<double>(b_);
      return number(static_cast<Number>(quotient), static_cast<Number>(quotient * 0x1p24));
    }
    if (opcode == "rcp") return rounded(1 / a);
    if (opcode == "sqrt") return rounded(std::sqrt(a));
    if (opcode == "rsqrt") return rounded(1 / std::sqrt(a));
    if (opcode == "sin") return rounded(std::sin(angle()));
    if (opcode == "cos") return rounded(std::cos(angle()));
    if (opcode == "ex2") return rounded(std::exp2(a));
    if (opcode == "lg2") return rounded(std::log2(a));
    if (opcode == "tanh") return rounded(std::tanh(a));
    return std::nullopt;
  }

  // The function unit gets the number of turns as a float. It takes subnormal ones for 0, and sees nothing of a large
  // one but what is behind the point.
  double angle() const {
    const auto turns = static_cast<float>(a_ * static_cast<Number>(0.15915494309189535F));
    const double part = std::fpclassify(turns) == FP_SUBNORMAL ? std::copysign(0.0, turns)
                                                               : std::remainder(static_cast<double>(turns), 1.0);
    return part * 6.283185307179586;
  }

  const Operation& op_;
  Number a_, b_, c_;
};

}  // namespace

std::optional<Outcome> evaluate_float(const Operation& operation, const Arguments& arguments) {
  if (operation.type == Type::f64) return FloatOperation<double>(operation, arguments).result();
  return FloatOperation<float>(operation, arguments).result();
}

}  // namespace cudalabs::reference
