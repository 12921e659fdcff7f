// Integer arithmetic, as the sections "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic
// Instructions" of the PTX ISA have it.
#include <algorithm>
#include <bit>

#include "operation.h"

namespace cudalabs::reference {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

// Modulo 2^128: products of unsigned 64-bit numbers need all of it, and of sums only the low bits count.
Wide wrapping_product(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b));
}
Wide wrapping_sum(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<UnsignedWide>(a) + static_cast<UnsignedWide>(b));
}

// An operation on integers of one type, each as the number it stands for.
class IntegerOperation {
 public:
  IntegerOperation(const Operation& operation, const Arguments& arguments, bool carry_in)
      : op_(operation),
        bits_(arguments),
        type_(operation.type),
        width_(width_of(operation.type)),
        carry_in_(carry_in) {}

  std::optional<Outcome> result() {
    const std::string& opcode = op_.opcode;
    if (opcode == "add") return op_.carry_out ? with_carry(false) : sum(a() + b());
    if (opcode == "sub") return op_.carry_out ? with_borrow(false) : sum(a() - b());
    if (opcode == "addc") return with_carry(carry_in_);
    if (opcode == "subc") return with_borrow(carry_in_);
    if (opcode == "mul") return product(0);
    if (opcode == "mad" && op_.carry_out) return multiply_add_with_carry(false);
    if (opcode == "mad") return product(op_.mode == "wide" ? number(2, 2 * width_) : c());
    if (opcode == "madc") return multiply_add_with_carry(carry_in_);
    if (opcode == "mul24") return product24(0);
    if (opcode == "mad24") return product24(c());
    if (opcode == "sad") return low(c() + (a() < b() ? b() - a() : a() - b()));
    if (opcode == "div") return low(b() == 0 ? -1 : a() / b());
    if (opcode == "rem") return low(b() == 0 ? -1 : a() % b());
    if (opcode == "abs") return low(a() < 0 ? -a() : a());
    if (opcode == "neg") return low(-a());
    if (opcode == "min") return low(rectified(std::min(a(), b())));
    if (opcode == "max") return low(rectified(std::max(a(), b())));
    if (opcode == "bfe") return extract();
    if (opcode == "dp4a") return dot_product(4);
    if (opcode == "dp2a") return dot_product(2);
    if (opcode == "vabsdiff2") return absolute_differences(16);
    if (opcode == "vabsdiff4") return absolute_differences(8);
    return std::nullopt;
  }

 private:
  Wide number(std::size_t i, unsigned width) const {
    if (is_signed(type_)) return sign_extend(bits_[i], width);
    return truncate(bits_[i], width);
  }
  Wide a() const { return number(0, width_); }
  Wide b() const { return number(1, width_); }
  Wide c() const { return number(2, width_); }

  Outcome low(Wide value) const { return {truncate(static_cast<std::uint64_t>(value), width_), false, false}; }
  Wide rectified(Wide value) const { return op_.relu ? std::max<Wide>(value, 0) : value; }

  Wide clamped(Wide value) const {
    const Wide limit = Wide{1} << (width_ - 1);
    return std::clamp<Wide>(value, -limit, limit - 1);
  }
  Outcome sum(Wide value) const { return low(op_.saturate ? clamped(value) : value); }

  // Carries are those of the unsigned numbers, whatever the type.
  Outcome with_carry(bool carry_in) const {
    return carrying(Wide{truncate(bits_[0], width_)} + truncate(bits_[1], width_) + (carry_in ? 1 : 0));
  }
  Outcome carrying(Wide total) const {
    Outcome outcome = low(total);
    outcome.carry = (total >> width_) != 0;
    return outcome;
  }
  Outcome with_borrow(bool borrow_in) const {
    const Wide difference = Wide{truncate(bits_[0], width_)} - Wide{truncate(bits_[1], width_)} - (borrow_in ? 1 : 0);
    Outcome outcome = low(difference);
    outcome.carry = difference < 0;
    return outcome;
  }
  Outcome multiply_add_with_carry(bool carry) const {
    const Wide all = wrapping_product(a(), b());
    const auto half = static_cast<std::uint64_t>(op_.mode == "hi" ? all >> width_ : all);
    return carrying(Wide{truncate(half, width_)} + truncate(bits_[2], width_) + (carry ? 1 : 0));
  }

  Outcome product(Wide addend) const {
    const Wide all = wrapping_product(a(), b());
    if (op_.mode == "wide")
      return {truncate(static_cast<std::uint64_t>(wrapping_sum(all, addend)), 2 * width_), false, false};
    if (op_.mode == "hi") return sum((all >> width_) + addend);
    return low(wrapping_sum(all, addend));
  }

  Outcome product24(Wide addend) const {
    const Wide all = number(0, 24) * number(1, 24);
    return low((op_.mode == "hi" ? all >> 16 : all) + addend);
  }

  // The PTX ISA takes eight bits of position and length; a GPU does so where the field is one of 32 bits.
  Outcome extract() const {
    const std::uint64_t mask = width_ == 32 ? 0xFF : 0xFFFF'FFFF;
    const std::uint64_t position = bits_[1] & mask;
    const std::uint64_t length = bits_[2] & mask;
    const std::uint64_t top = width_ - 1;
    const auto bit = [&](std::uint64_t i) { return (bits_[0] >> i) & 1; };
    const std::uint64_t sign = !is_signed(type_) || length == 0 ? 0 : bit(std::min(position + length - 1, top));
    std::uint64_t field = 0;
    for (unsigned i = 0; i <= top; ++i) field |= (i < length && position + i <= top ? bit(position + i) : sign) << i;
    return {field, false, false};
  }

  // dp4a: four bytes by four bytes; dp2a: two halfwords by two of the four bytes.
  Outcome dot_product(unsigned terms) const {
    Wide total = is_signed(type_) || is_signed(op_.source) ? sign_extend(bits_[2], 32) : Wide{truncate(bits_[2], 32)};
    const unsigned wide = terms == 4 ? 8 : 16;
    const unsigned first = terms == 2 && op_.mode == "hi" ? 2 : 0;
    const auto part = [](std::uint64_t bits, Type type, unsigned width, unsigned i) {
      const std::uint64_t value = bits >> (width * i);
      return is_signed(type) ? Wide{sign_extend(value, width)} : Wide{truncate(value, width)};
    };
    for (unsigned i = 0; i < terms; ++i)
      total += part(bits_[0], type_, wide, i) * part(bits_[1], op_.source, 8, first + i);
    return {truncate(static_cast<std::uint64_t>(total), 32), false, false};
  }

  // Of each part of so many bits; added up, or side by side.
  Outcome absolute_differences(unsigned width) const {
    std::uint64_t total = op_.mode == "add" ? bits_[2] : 0;
    for (unsigned at = 0; at < 32; at += width) {
      const auto part = [&](std::size_t i) {
        const std::uint64_t value = bits_[i] >> at;
        return is_signed(op_.source) ? Wide{sign_extend(value, width)} : Wide{truncate(value, width)};
      };
      const Wide difference = part(0) - part(1);
      const auto distance = static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
      total += op_.mode == "add" ? distance : distance << at;
    }
    return {truncate(total, 32), false, false};
  }

  const Operation& op_;
  const Arguments& bits_;
  Type type_;
  unsigned width_;
  bool carry_in_;
};

}  // namespace

std::optional<Outcome> evaluate_integer(const Operation& operation, const Arguments& arguments, bool carry_in) {
  return IntegerOperation(operation, arguments, carry_in).result();
}

}  // namespace cudalabs::reference
