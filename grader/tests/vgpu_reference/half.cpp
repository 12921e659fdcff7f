// Arithmetic on half-precision numbers, single or in pairs, as the section "Half Precision Floating-Point Instructions"
// of the PTX ISA has it.
#include <cmath>

#include "operation.h"
#include "rounded.h"

namespace cudalabs::reference {
namespace {

class HalfOperation {
 public:
  explicit HalfOperation(const Operation& operation)
      : op_(operation), format_(operation.type == Type::bf16 || operation.type == Type::bf16x2 ? kBrainHalf : kHalf) {}

  std::optional<std::uint64_t> result(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
    const std::string& opcode = op_.opcode;
    if (opcode == "abs" || opcode == "neg") {  // additions of a zero, as far as NaN is concerned
      if (std::isnan(number(a))) return kNaN;
      return opcode == "abs" ? flushed(a) & ~format_.sign() : flushed(a) ^ format_.sign();
    }
    if (opcode == "min") return extremum(a, b, true);
    if (opcode == "max") return extremum(a, b, false);
    if (opcode == "add") return rounded(number(a) + number(b));
    if (opcode == "sub") return rounded(number(a) - number(b));
    if (opcode == "mul") return rounded(number(a) * number(b));
    if (opcode == "fma") return rounded(multiply_add_to_odd(number(a), number(b), number(c)));
    if (opcode == "ex2") return rounded(std::exp2(number(a)));
    if (opcode == "tanh") return rounded(std::tanh(number(a)));
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kNaN = 0x7FFF;

  std::uint64_t flushed(std::uint64_t bits) const {
    return op_.ftz && (bits & format_.infinity()) == 0 ? bits & format_.sign() : bits;
  }
  double number(std::uint64_t bits) const { return number_of(format_, flushed(bits)); }

  // Less than the least normal number, if exponents had no end: by more than half the last place of the numbers below.
  bool vanishes(double value) const {
    return std::fabs(value) < std::ldexp(1 - std::ldexp(0.5, -1 - format_.fraction_bits), 1 - format_.bias());
  }

  std::uint64_t rounded(double value) const {
    if (op_.saturate) value = value > 0 ? std::min(value, 1.0) : 0.0;
    if (std::isnan(value)) return kNaN;
    std::uint64_t bits = round_into(format_, value, Rounding::nearest);
    if (op_.ftz && vanishes(value)) bits &= format_.sign();
    return op_.relu && (bits & format_.sign()) != 0 ? 0 : bits;
  }

  std::uint64_t extremum(std::uint64_t a, std::uint64_t b, bool smaller) const {
    const double x = number(a);
    const double y = number(b);
    if (std::isnan(x) && std::isnan(y)) return kNaN;
    if (std::isnan(x) || std::isnan(y)) return op_.propagate_nan ? kNaN : flushed(std::isnan(x) ? b : a);
    const bool less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
    return flushed(less == smaller ? a : b);
  }

  const Operation& op_;
  Format format_;
};

}  // namespace

std::optional<Outcome> evaluate_half(const Operation& operation, const Arguments& arguments) {
  const HalfOperation half(operation);
  const auto part = [&](unsigned shift) {
    return half.result((arguments[0] >> shift) & 0xFFFF, (arguments[1] >> shift) & 0xFFFF,
                       (arguments[2] >> shift) & 0xFFFF);
  };
  const auto low = part(0);
  if (!low) return std::nullopt;
  if (width_of(operation.type) == 16) return Outcome{*low, false, false};
  return Outcome{*low | *part(16) << 16, false, false};
}

}  // namespace cudalabs::reference
