// The operands on which a form is tried.
#include "operand_values.h"

#include <algorithm>
#include <bit>

#include "form_kernel.h"
#include "random_source.h"

namespace cudalabs::conformance {

namespace {

using reference::RandomSource;
using vgpu::ptx::Type;

// Rows in all; of two operands, those that are random at least. Rows come in whole blocks of threads.
constexpr std::size_t kRowsOfOne = 4096, kRandomRowsOfTwo = 2048, kRowsOfMore = 6144;

struct RealFormat {
  unsigned width, fraction_bits;

  std::uint64_t sign() const { return std::uint64_t{1} << (width - 1); }
  std::uint64_t infinity() const { return (sign() - 1) >> fraction_bits << fraction_bits; }
  std::uint64_t bias() const { return (infinity() >> fraction_bits) / 2; }
  std::uint64_t one() const { return bias() << fraction_bits; }
};
constexpr RealFormat kHalf{16, 10}, kBrain{16, 7}, kSingle{32, 23}, kDouble{64, 52};

bool packed(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2;
}
/// Null: the type is no real one. Of a pair: of each half.
const RealFormat* format_of(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2:
      return &kHalf;
    case Type::bf16:
    case Type::bf16x2:
      return &kBrain;
    case Type::f32:
      return &kSingle;
    case Type::f64:
      return &kDouble;
    default:
      return nullptr;
  }
}

// 2^exponent, where the format has it as a normal number.
void add_power(const RealFormat& format, std::vector<std::uint64_t>& values, int exponent) {
  const auto bias = static_cast<int>(format.bias());
  if (exponent <= -bias || exponent > bias) return;
  values.push_back(static_cast<std::uint64_t>(bias + exponent) << format.fraction_bits);
}

std::vector<std::uint64_t> special_reals(const RealFormat& format) {
  const std::uint64_t infinity = format.infinity(), one = format.one();
  const std::uint64_t normal = std::uint64_t{1} << format.fraction_bits, half = normal >> 1;
  std::vector<std::uint64_t> values{0,
                                    1,
                                    half,
                                    normal - 1,
                                    normal,
                                    normal + 1,
                                    one - normal,
                                    one - 1,
                                    one,
                                    one + 1,
                                    one + half,
                                    one + normal,
                                    one + normal + half / 2,
                                    one + normal + half,
                                    infinity - normal,
                                    infinity - 1,
                                    infinity,
                                    infinity + 1,
                                    infinity + half,
                                    infinity + half + 1,
                                    infinity + normal - 1};
  for (const int exponent : {4, 8, 14, 16, 24, 31, 32, 63, 126, -24, -14, -25}) add_power(format, values, exponent);
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(values[i] | format.sign());
  return values;
}

std::vector<std::uint64_t> special_integers(unsigned bits) {
  std::vector<std::uint64_t> values{0,  1,   2,   3,   5,   7,   8,   15,   16,
                                    17, 24,  31,  32,  33,  48,  63,  64,   65,
                                    96, 127, 128, 200, 255, 256, 257, 1000, 0x0101'0101'0101'0101};
  for (const std::uint64_t pattern : {0x5555'5555'5555'5555, 0x00FF'00FF'00FF'00FF, 0x7F80'7F80'7F80'7F80}) {
    values.push_back(pattern);
    values.push_back(~pattern);
  }
  for (const unsigned at : {15u, 16u, 23u, 31u, 32u, 63u}) {
    if (at >= bits) continue;
    const std::uint64_t power = std::uint64_t{1} << at;
    values.insert(values.end(), {power - 1, power, power + 1, 0 - power, 0 - power - 1});
  }
  values.insert(values.end(), {~0ull, ~1ull, ~2ull, ~31ull});
  for (std::uint64_t& value : values) value &= ~0ull >> (64 - bits);
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

std::vector<std::uint64_t> special_values(const Slot& slot) {
  if (slot.bits == 1) return {0, 1};
  const RealFormat* const format = format_of(slot.type);
  if (format == nullptr) return special_integers(slot.bits);
  std::vector<std::uint64_t> values = special_reals(*format);
  if (packed(slot.type)) {
    std::vector<std::uint64_t> upper = values;
    std::ranges::rotate(upper, upper.begin() + 7);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] |= upper[i] << 16;
  }
  return values;
}

std::uint64_t random_value(const Slot& slot, RandomSource& random) {
  if (slot.bits == 1) return random.below(2);
  const std::uint64_t all = ~0ull >> (64 - slot.bits);
  switch (slot.type) {
    case Type::f16:
      return reference::interesting_float(random, 16);
    case Type::f16x2:
      return reference::interesting_float(random, 16) << 16 | reference::interesting_float(random, 16);
    case Type::bf16:
      return reference::interesting_float(random, 32) >> 16;
    case Type::bf16x2:
      return reference::interesting_float(random, 32) >> 16 << 16 | reference::interesting_float(random, 32) >> 16;
    case Type::f32:
      return reference::interesting_float(random, 32);
    case Type::f64:
      return reference::interesting_float(random, 64);
    default:
      return reference::interesting_integer(random) & all;
  }
}

// A seed out of the form's name, so that forms do not share their random operands.
std::uint64_t seed_of(const std::string& key) {
  std::uint64_t seed = 0xCBF2'9CE4'8422'2325;
  for (const char letter : key) seed = (seed ^ static_cast<unsigned char>(letter)) * 0x100'0000'01B3;
  return seed;
}

// Where the third operand all but cancels the product of the others.
template <class T, class Bits>
std::uint64_t cancelling(std::uint64_t a, std::uint64_t b, std::uint64_t nudge) {
  const T product = std::bit_cast<T>(static_cast<Bits>(a)) * std::bit_cast<T>(static_cast<Bits>(b));
  if (product != product) return nudge;
  return static_cast<Bits>(std::bit_cast<Bits>(-product) + nudge);
}

// Every fourth row, an operand is near to what the ones before it are, or to what cancels them.
void bring_near(const InstructionForm& form, std::vector<std::uint64_t>& row, RandomSource& random) {
  if (row.size() < 2 || !random.chance(25)) return;
  const std::uint64_t nudge = random.below(5) - 2;
  const Slot &first = form.operands[0], &second = form.operands[1];
  if (form.operands.size() > 2 && form.operands[2].bits != 1 && second.type == first.type) {
    if (first.type == Type::f32 && form.operands[2].type == Type::f32) {
      row[2] = cancelling<float, std::uint32_t>(row[0], row[1], nudge);
      return;
    }
    if (first.type == Type::f64 && form.operands[2].type == Type::f64) {
      row[2] = cancelling<double, std::uint64_t>(row[0], row[1], nudge);
      return;
    }
  }
  if (second.type == first.type && first.bits > 1) {
    row[1] = (row[0] + nudge) & (~0ull >> (64 - first.bits));
    if (const RealFormat* const format = format_of(first.type); format != nullptr && random.chance(50)) {
      row[1] ^= format->sign();
    }
  }
}

std::vector<Slot> slots_of(const InstructionForm& form) {
  std::vector<Slot> slots = form.operands;
  if (form.carry_in) slots.push_back({Type::pred, 1});
  return slots;
}

Sort sort_of(const RealFormat& format, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & (format.sign() - 1);
  if (magnitude > format.infinity()) return Sort::nan;
  if (magnitude == format.infinity()) return Sort::infinity;
  if (magnitude == 0) return Sort::zero;
  return magnitude >> format.fraction_bits == 0 ? Sort::subnormal : Sort::ordinary;
}

}  // namespace

OperandTable operands_of(const InstructionForm& form) {
  const std::vector<Slot> slots = slots_of(form);
  OperandTable table;
  table.columns.resize(slots.size());
  const auto add = [&](std::vector<std::uint64_t> row) {
    if (form.counts) row[0] = static_cast<std::uint32_t>(static_cast<std::int32_t>(row[0] % 64) - 8);
    for (std::size_t i = 0; i < row.size(); ++i) table.columns[i].push_back(row[i]);
  };
  if (slots.size() == 1 && slots[0].bits == 16) {
    for (std::uint64_t value = 0; value < 0x1'0000; ++value) add({value});
    return table;
  }
  RandomSource random(seed_of(form.key()));
  std::vector<std::vector<std::uint64_t>> special;
  for (const Slot& slot : slots) special.push_back(special_values(slot));
  std::size_t more = kRowsOfMore;
  if (slots.size() == 1) {
    for (const std::uint64_t value : special[0]) add({value});
    more = kRowsOfOne - table.rows();
  } else if (slots.size() == 2) {
    for (const std::uint64_t a : special[0]) {
      for (const std::uint64_t b : special[1]) add({a, b});
    }
    more = kRandomRowsOfTwo + (kThreadsPerBlock - table.rows() % kThreadsPerBlock) % kThreadsPerBlock;
  }
  std::vector<std::uint64_t> row(slots.size());
  for (; more > 0; --more) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const bool chosen = slots.size() > 1 && random.chance(50);
      row[i] = chosen ? random.pick(special[i]) : random_value(slots[i], random);
    }
    bring_near(form, row, random);
    add(row);
  }
  return table;
}

const char* name_of(Sort sort) {
  static constexpr const char* kNames[] = {"NaN", "infinity", "subnormal", "zero", "ordinary"};
  return kNames[static_cast<std::size_t>(sort)];
}

Sort sort_of(const InstructionForm& form, const OperandTable& operands, std::size_t row) {
  Sort most = Sort::ordinary;
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    const RealFormat* const format = format_of(form.operands[i].type);
    if (format == nullptr) continue;
    const std::uint64_t value = operands.columns[i][row];
    if (packed(form.operands[i].type)) {
      most = std::min({most, sort_of(*format, value & 0xFFFF), sort_of(*format, value >> 16 & 0xFFFF)});
    } else {
      most = std::min(most, sort_of(*format, value));
    }
  }
  return most;
}

}  // namespace cudalabs::conformance
