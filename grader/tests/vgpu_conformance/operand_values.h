// The operands on which a form is tried: special values of its types against each other, and random ones.
#pragma once

#include <cstdint>
#include <vector>

#include "instruction_form.h"

namespace cudalabs::conformance {

/// A column for each operand (then one for the carry flag, where the form reads it), all as long.
struct OperandTable {
  std::vector<std::vector<std::uint64_t>> columns;

  std::size_t rows() const { return columns.front().size(); }
};

/// The same for a form on every machine. All values, where the only operand has 16 bits.
OperandTable operands_of(const InstructionForm& form);

/// What a row is about, by the most special of its real operands.
enum class Sort : std::uint8_t { nan, infinity, subnormal, zero, ordinary };
constexpr std::size_t kSorts = 5;
const char* name_of(Sort sort);
/// Without real operands: ordinary.
Sort sort_of(const InstructionForm& form, const OperandTable& operands, std::size_t row);

}  // namespace cudalabs::conformance
