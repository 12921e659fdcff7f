// Logic, shifts, bit fields and byte permutation: operations on bits, whatever number they stand for.
#include <algorithm>

#include "operation.h"

namespace cudalabs::reference {
namespace {

std::uint64_t bit_of(std::uint64_t bits, unsigned i) {
  return (bits >> i) & 1;
}

std::uint64_t leading_zeros(std::uint64_t bits, unsigned width) {
  std::uint64_t count = 0;
  for (unsigned i = width; i-- > 0 && bit_of(bits, i) == 0;) ++count;
  return count;
}

std::uint64_t find_most_significant(const Operation& operation, std::uint64_t bits, unsigned width) {
  if (is_signed(operation.type) && bit_of(bits, width - 1) != 0) bits = truncate(~bits, width);
  for (unsigned i = width; i-- > 0;) {
    if (bit_of(bits, i) != 0) return operation.shift_amount ? width - 1 - i : i;
  }
  return 0xFFFFFFFF;
}

std::uint64_t insert_field(std::uint64_t field, std::uint64_t into, std::uint64_t position, std::uint64_t length,
                           unsigned width) {
  for (unsigned i = 0; i < length && position + i < width; ++i) {
    const std::uint64_t at = std::uint64_t{1} << (position + i);
    into = bit_of(field, i) != 0 ? into | at : into & ~at;
  }
  return into;
}

std::uint64_t by_table(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const auto row = static_cast<unsigned>(bit_of(a, i) << 2 | bit_of(b, i) << 1 | bit_of(c, i));
    result |= bit_of(table, row) << i;
  }
  return result;
}

std::uint64_t funnel_shift(const std::string& mode, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const bool wrap = mode.ends_with("wrap");
  const std::uint64_t amount = wrap ? c & 31 : std::min<std::uint64_t>(c, 32);
  const std::uint64_t both = b << 32 | a;
  return truncate(mode[0] == 'l' ? (amount == 32 ? both << 32 : both << amount) >> 32 : both >> amount, 32);
}

// Which of the eight source bytes each byte of the result comes from, lowest first, for the two control bits.
unsigned permuted_byte(const std::string& mode, unsigned control, unsigned byte) {
  if (mode == "f4e") return control + byte;
  if (mode == "b4e") return (control + 8 - byte) % 8;
  if (mode == "rc8") return control;
  if (mode == "ecl") return std::max(control, byte);
  if (mode == "ecr") return std::min(control, byte);
  return (control & 1) * 2 + byte % 2;  // rc16
}

std::uint64_t permute(const std::string& mode, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t bytes = b << 32 | a;
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned selector = static_cast<unsigned>(c >> (4 * i)) & 0xF;
    const unsigned from = mode.empty() ? selector & 7 : permuted_byte(mode, c & 3, i);
    std::uint64_t byte = (bytes >> (8 * from)) & 0xFF;
    if (mode.empty() && (selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
    result |= byte << (8 * i);
  }
  return result;
}

std::uint64_t bit_mask(bool clamp, std::uint64_t position, std::uint64_t length) {
  if (clamp && position >= 32) return 0;
  const std::uint64_t begin = position & 31;
  const std::uint64_t count = clamp ? std::min<std::uint64_t>(length, 32) : length & 31;
  std::uint64_t mask = 0;
  for (std::uint64_t i = begin; i < std::min<std::uint64_t>(begin + count, 32); ++i) mask |= std::uint64_t{1} << i;
  return mask;
}

std::uint64_t extend_field(const Operation& operation, std::uint64_t value, std::uint64_t length) {
  if (length >= 32 && operation.mode == "clamp") return value;
  const auto bits = static_cast<unsigned>(length & 31);
  if (bits == 0) return 0;
  return is_signed(operation.type) ? truncate(static_cast<std::uint64_t>(sign_extend(value, bits)), 32)
                                   : truncate(value, bits);
}

std::uint64_t shift_right(Type type, std::uint64_t bits, std::uint64_t amount) {
  const unsigned width = width_of(type);
  const bool fill = is_signed(type) && bit_of(bits, width - 1) != 0;
  if (amount >= width) return fill ? mask_of(width) : 0;
  const std::uint64_t shifted = bits >> amount;
  return fill ? shifted | (mask_of(width) & ~(mask_of(width) >> amount)) : shifted;
}

std::uint64_t nth_set_bit(std::uint64_t mask, std::uint64_t base, std::int64_t offset) {
  if (offset == -0x8000'0000ll) return 0;  // as a GPU has it; it has no such offset the other way
  if (base >= 32) return 0xFFFFFFFF;
  if (offset == 0) return bit_of(mask, static_cast<unsigned>(base)) != 0 ? base : 0xFFFFFFFF;
  std::int64_t remaining = (offset < 0 ? -offset : offset) - 1;
  for (auto at = static_cast<std::int64_t>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1) {
    if (bit_of(mask, static_cast<unsigned>(at)) == 0) continue;
    if (remaining-- == 0) return static_cast<std::uint64_t>(at);
  }
  return 0xFFFFFFFF;
}

}  // namespace

std::optional<Outcome> evaluate_logic(const Operation& operation, const Arguments& arguments) {
  const std::string& opcode = operation.opcode;
  const unsigned width = operation.type == Type::pred ? 1 : width_of(operation.type);
  const auto [a, b, c, d, e] = arguments;
  const auto value = [&](std::uint64_t bits) { return Outcome{truncate(bits, width), false, false}; };
  if (opcode == "and") return value(a & b);
  if (opcode == "or") return value(a | b);
  if (opcode == "xor") return value(a ^ b);
  if (opcode == "not") return value(~a);
  if (opcode == "cnot") return value(a == 0 ? 1 : 0);
  if (opcode == "lop3") return value(by_table(a, b, c, d));
  if (opcode == "shl") return value(b >= width ? 0 : a << b);
  if (opcode == "shr") return value(shift_right(operation.type, a, b));
  if (opcode == "shf") return value(funnel_shift(operation.mode, a, b, c));
  if (opcode == "prmt") return value(permute(operation.mode, a, b, c));
  if (opcode == "bfi") {
    // As of `bfe`: eight bits of position and length only where the field is one of 32 bits.
    const std::uint64_t mask = width == 32 ? 0xFF : 0xFFFF'FFFF;
    return value(insert_field(a, b, c & mask, d & mask, width));
  }
  if (opcode == "bmsk") return value(bit_mask(operation.mode == "clamp", a, b));
  if (opcode == "szext") return value(extend_field(operation, a, b));
  if (opcode == "fns") return value(nth_set_bit(a, b, sign_extend(c, 32)));
  if (opcode == "clz") return Outcome{leading_zeros(a, width), false, false};
  if (opcode == "bfind") return Outcome{find_most_significant(operation, a, width), false, false};
  if (opcode == "popc") {
    std::uint64_t count = 0;
    for (unsigned i = 0; i < width; ++i) count += bit_of(a, i);
    return Outcome{count, false, false};
  }
  if (opcode == "brev") {
    std::uint64_t reversed = 0;
    for (unsigned i = 0; i < width; ++i) reversed |= bit_of(a, i) << (width - 1 - i);
    return value(reversed);
  }
  if (opcode == "selp") return value(c != 0 ? a : b);
  return std::nullopt;
}

}  // namespace cudalabs::reference
