// Comparison and selection, as the section "Comparison and Selection Instructions" of the PTX ISA has it.
#include <bit>
#include <cmath>

#include "operation.h"
#include "rounded.h"

namespace cudalabs::reference {
namespace {

double number_of_type(Type type, std::uint64_t bits, bool ftz) {
  if (type == Type::f64) return std::bit_cast<double>(bits);
  if (type == Type::f16) return number_of(kHalf, bits);
  if (type == Type::bf16) return number_of(kBrainHalf, bits);
  const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return ftz && std::fpclassify(value) == FP_SUBNORMAL ? 0.0 : double{value};
}

bool compare_numbers(const std::string& compare, double a, double b) {
  const bool ordered = !std::isnan(a) && !std::isnan(b);
  if (compare == "num") return ordered;
  if (compare == "nan") return !ordered;
  if (!ordered) return compare.size() == 3;  // "equ", "ltu", ... hold for NaN, "eq", "ne", "lt", ... do not
  const std::string relation = compare.substr(0, 2);
  if (relation == "eq") return a == b;
  if (relation == "ne") return a != b;
  if (relation == "lt") return a < b;
  if (relation == "le") return a <= b;
  if (relation == "gt") return a > b;
  return a >= b;
}

bool compare_integers(const std::string& compare, Type type, std::uint64_t a, std::uint64_t b) {
  if (compare == "eq") return a == b;
  if (compare == "ne") return a != b;
  bool less = a < b;
  if (is_signed(type)) less = sign_extend(a, width_of(type)) < sign_extend(b, width_of(type));
  if (compare == "lt" || compare == "lo") return less;
  if (compare == "le" || compare == "ls") return less || a == b;
  if (compare == "gt" || compare == "hi") return !less && a != b;
  return !less;
}

bool combined(const std::string& boolean, bool left, bool right) {
  if (boolean == "and") return left && right;
  if (boolean == "or") return left || right;
  if (boolean == "xor") return left != right;
  return left;
}

// One as a number of the type, or all bits.
std::uint64_t truth_of(Type type) {
  if (type == Type::f32) return 0x3F800000;
  if (type == Type::f16 || type == Type::f16x2) return 0x3C00;
  if (type == Type::bf16 || type == Type::bf16x2) return 0x3F80;
  return width_of(type) == 16 ? 0xFFFF : 0xFFFFFFFF;
}

}  // namespace

std::optional<Outcome> evaluate_comparison(const Operation& operation, const Arguments& arguments) {
  const auto [a, b, c, d, e] = arguments;
  const Type type = operation.source;
  if (operation.opcode == "slct") {
    const bool first = type == Type::f32 ? number_of_type(type, c, operation.ftz) >= 0 : sign_extend(c, 32) >= 0;
    return Outcome{first ? a : b, false, false};
  }
  if (operation.opcode != "setp" && operation.opcode != "set") return std::nullopt;
  if (type == Type::f16x2 || type == Type::bf16x2) {
    const Type half = type == Type::f16x2 ? Type::f16 : Type::bf16;
    std::uint64_t both = 0;
    for (const int shift : {0, 16}) {
      const bool holds = compare_numbers(operation.compare, number_of_type(half, a >> shift & 0xFFFF, false),
                                         number_of_type(half, b >> shift & 0xFFFF, false));
      if (combined(operation.boolean, holds, c != 0)) both |= (truth_of(operation.type) & 0xFFFF) << shift;
    }
    return Outcome{both, false, false};
  }
  const bool holds = is_float(type) ? compare_numbers(operation.compare, number_of_type(type, a, operation.ftz),
                                                      number_of_type(type, b, operation.ftz))
                                    : compare_integers(operation.compare, type, a, b);
  const bool first = combined(operation.boolean, holds, c != 0);
  if (operation.opcode == "setp") {
    return Outcome{first ? 1u : 0u, combined(operation.boolean, !holds, c != 0), false};
  }
  return Outcome{first ? truth_of(operation.type) : 0, false, false};
}

}  // namespace cudalabs::reference
