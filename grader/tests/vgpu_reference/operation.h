// An arithmetic instruction as its opcode and suffixes say it, and what it computes from bit patterns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bits.h"

namespace cudalabs::reference {

struct Oracle;

enum class Rounding : std::uint8_t { none, nearest, zero, down, up };

/// What the suffixes of an instruction without side effects say. Opcodes keep their PTX names, which the code below
/// compares; `mode` is the one suffix that chooses among variants of an opcode ("lo", "hi", "wide", "clamp", "f4e",
/// ...).
struct Operation {
  std::string opcode;
  std::string mode;
  Type type = Type::none;    // the first type suffix
  Type source = Type::none;  // the second type suffix, or the first when there is only one
  Rounding rounding = Rounding::none;
  bool to_integral = false;  // .rni and the like: round to an integral value
  bool ftz = false, saturate = false, approximate = false, full = false;
  bool propagate_nan = false, xorsign = false, relu = false, shift_amount = false, carry_out = false;
  std::string compare;             // "lt", "geu", ...
  std::string boolean;             // "and", "or", "xor" of setp and set
  const Oracle* oracle = nullptr;  // says it all, where there is one
};

/// Reads the suffixes; nothing when the opcode is none of those computed here.
std::optional<Operation> operation_of(const vgpu::ptx::Instruction& instruction);

/// The types in which the operands are read and the result is written.
struct Signature {
  Type result = Type::none;
  std::vector<Type> sources;
};
Signature signature_of(const Operation& operation);

/// Values as bit patterns of the types that signature_of() names; predicates are 0 or 1.
struct Outcome {
  std::uint64_t value = 0;
  bool second = false;  // the second predicate of setp
  bool carry = false;   // the carry or borrow out
};
using Arguments = std::array<std::uint64_t, 5>;

/// Computes the operation as the PTX ISA defines it. Where the ISA leaves a result open this defines one:
///  - x / 0 and x % 0 are all ones, as on a GPU; the most negative integer divided by -1 is itself, its remainder 0;
///  - a NaN that arithmetic makes is 0x7FFFFFFF (f32), 0x7FFF (f16, bf16); in f64 an operand that is NaN, quiet, and
///    0xFFF8000000000000 where none is;
///  - approximations are the double-precision result of the C library, rounded once, but for what GPUs are known to do:
///    division by more than 2^126 multiplies by 0; sines and cosines are those of a / 2pi as a float, subnormal ones 0.
Outcome evaluate(const Operation& operation, const Arguments& arguments, bool carry_in = false);

// The parts of evaluate(), one per group of opcodes; nothing when the opcode belongs to another.
std::optional<Outcome> evaluate_integer(const Operation& operation, const Arguments& arguments, bool carry_in);
std::optional<Outcome> evaluate_logic(const Operation& operation, const Arguments& arguments);
std::optional<Outcome> evaluate_float(const Operation& operation, const Arguments& arguments);
std::optional<Outcome> evaluate_half(const Operation& operation, const Arguments& arguments);
std::optional<Outcome> evaluate_comparison(const Operation& operation, const Arguments& arguments);
std::optional<Outcome> evaluate_conversion(const Operation& operation, const Arguments& arguments);

}  // namespace cudalabs::reference
