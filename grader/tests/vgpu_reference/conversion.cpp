// cvt between any two of the integer and floating-point types.
#include <algorithm>
#include <bit>
#include <cmath>

#include "operation.h"
#include "rounded.h"

namespace cudalabs::reference {
namespace {

__extension__ using Wide = __int128;

Format format_of(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2:
      return kHalf;
    case Type::bf16:
    case Type::bf16x2:
      return kBrainHalf;
    case Type::f32:
      return kSingle;
    default:
      return kDouble;
  }
}

// The upper bits of a NaN's fraction as those of another format's, and quiet.
std::uint64_t moved_nan(std::uint64_t bits, Format from, Format to) {
  const std::uint64_t fraction = (bits & (from.sign() - 1) & ~from.infinity()) << (52 - from.fraction_bits);
  const std::uint64_t quiet = (fraction | std::uint64_t{1} << 51) >> (52 - to.fraction_bits);
  return ((bits & from.sign()) != 0 ? to.sign() : 0) | to.infinity() | quiet;
}

double to_integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::zero:
      return std::trunc(value);
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
    default:
      return std::nearbyint(value);  // to nearest even: the mode in force
  }
}

Wide clamp_to(Type type, Wide value) {
  const unsigned width = width_of(type);
  const Wide least = is_signed(type) ? -(Wide{1} << (width - 1)) : 0;
  const Wide most = (Wide{1} << (is_signed(type) ? width - 1 : width)) - 1;
  return std::clamp(value, least, most);
}

class Conversion {
 public:
  explicit Conversion(const Operation& operation) : op_(operation), to_(operation.type), from_(operation.source) {}

  std::uint64_t result(std::uint64_t bits) const {
    if (is_float(from_)) return is_float(to_) ? float_to_float(bits) : float_to_integer(bits);
    return is_float(to_) ? integer_to_float(bits) : integer_to_integer(bits);
  }

 private:
  Wide integer(std::uint64_t bits) const {
    if (is_signed(from_)) return sign_extend(bits, width_of(from_));
    return truncate(bits, width_of(from_));
  }

  std::uint64_t integer_to_integer(std::uint64_t bits) const {
    const Wide value = integer(bits);
    return truncate(static_cast<std::uint64_t>(op_.saturate ? clamp_to(to_, value) : value), width_of(to_));
  }

  std::uint64_t integer_to_float(std::uint64_t bits) const {
    const Wide value = integer(bits);
    const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
    return finish(round_into(format_of(to_), value < 0, magnitude, 0, op_.rounding));
  }

  // Subnormal single-precision numbers count as zero under .ftz, whatever the other type is; for a GPU not if it is
  // f16.
  double number(std::uint64_t bits) const {
    const double value = number_of(format_of(from_), bits);
    const bool subnormal = from_ == Type::f32 && to_ != Type::f16 && (bits & kSingle.infinity()) == 0;
    return op_.ftz && subnormal ? std::copysign(0.0, value) : value;
  }

  std::uint64_t float_to_integer(std::uint64_t bits) const {
    const double value = number(bits);
    if (std::isnan(value)) {
      const bool of_64_bits = from_ == Type::f64 || width_of(to_) == 64;
      return of_64_bits ? std::uint64_t{1} << (width_of(to_) - 1) : 0;
    }
    const double whole = to_integral(value, op_.rounding);
    const Wide clamped = clamp_to(to_, static_cast<Wide>(std::clamp(whole, -0x1p100, 0x1p100)));
    return truncate(static_cast<std::uint64_t>(clamped), width_of(to_));
  }

  std::uint64_t float_to_float(std::uint64_t bits) const {
    double value = number(bits);
    if (std::isnan(value)) return finish(nan(bits));
    if (op_.to_integral) value = to_integral(value, op_.rounding);
    return finish(round_into(format_of(to_), value, op_.to_integral ? Rounding::nearest : op_.rounding));
  }

  // Double precision keeps what it has room for, moves between equal types and from bf16 to f32 keep all; else there is
  // one NaN.
  std::uint64_t nan(std::uint64_t bits) const {
    const std::uint64_t one = to_ == Type::f32 ? 0x7FFF'FFFF : 0x7FFF;
    if (from_ == to_ && !op_.to_integral && !op_.ftz && width_of(to_) >= 32) return bits;
    if (to_ == Type::f64)
      return moved_nan(op_.ftz && from_ == Type::f32 ? 0x7FFF'FFFF : bits, format_of(from_), kDouble);
    if (from_ == Type::f64) return moved_nan(bits, kDouble, format_of(to_));
    return from_ == Type::bf16 && to_ == Type::f32 && !op_.ftz ? bits << 16 : one;
  }

  // .sat, .relu and .ftz of the result, as bits.
  std::uint64_t finish(std::uint64_t bits) const {
    const Format format = format_of(to_);
    const bool nan = (bits & ~format.sign()) > format.infinity();
    const bool negative = (bits & format.sign()) != 0;
    if (op_.saturate) {
      const std::uint64_t one = static_cast<std::uint64_t>(format.bias()) << format.fraction_bits;
      bits = nan || negative ? 0 : std::min(bits, one);
    }
    if (op_.relu && negative && !nan) return 0;
    if (op_.ftz && to_ == Type::f32 && (bits & format.infinity()) == 0) return bits & format.sign();
    return bits;
  }

  const Operation& op_;
  Type to_, from_;
};

}  // namespace

std::optional<Outcome> evaluate_conversion(const Operation& operation, const Arguments& arguments) {
  if (operation.opcode != "cvt") return std::nullopt;
  const Conversion conversion(operation);
  if (operation.type == Type::f16x2 || operation.type == Type::bf16x2) {
    return Outcome{conversion.result(arguments[0]) << 16 | conversion.result(arguments[1]), false, false};
  }
  return Outcome{conversion.result(arguments[0]), false, false};
}

}  // namespace cudalabs::reference
