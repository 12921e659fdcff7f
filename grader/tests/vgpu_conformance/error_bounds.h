// How far from the true value a GPU's approximations may be: what the PTX ISA says of its instructions and the CUDA
// programming guide of its functions.
#pragma once

#include <vector>

#include "operand_values.h"

namespace cudalabs::conformance {

/// An error within any of the three is within the bound. Units in the last place of the result, then numbers.
struct ErrorBound {
  double ulps = 0, relative = 0, absolute = 0;

  bool exact() const { return ulps == 0 && relative == 0 && absolute == 0; }
};

/// Of an approximate form on the operands of a row. Where nothing is documented: infinite.
ErrorBound error_bound(const InstructionForm& form, const OperandTable& operands, std::size_t row);

/// The numbers that a register holds: of a pair both.
struct RealValue {
  double value = 0;
  std::int64_t place = 0;  // among all numbers of the format, zeros in the middle
};
/// None: the type is no real one.
std::vector<RealValue> real_values(const Slot& slot, std::uint64_t bits);

}  // namespace cudalabs::conformance
