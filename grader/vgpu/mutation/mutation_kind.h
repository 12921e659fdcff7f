// What of an instruction a mutation changes.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

/// The likelier ones, of which there are fewer, first.
enum class MutationKind : std::uint8_t {
  comparison,  // "lt" becomes "le"
  outcome,     // a comparison is true, or false, whatever it compares
  constant,    // 1 becomes 0
  offset,      // 1 is added to a value, or taken from it
  operation,   // an addition becomes a subtraction
  accumulate,  // what is stored is added to what is there
  builtin,     // threadIdx.x becomes blockIdx.x
  parameter,   // another parameter of the kernel is read
  factor,      // a value is multiplied
  condition,   // the opposite of a comparison, or of a branch
  value,       // another value of the same type is used
};
inline constexpr MutationKind kLastMutationKind = MutationKind::value;

}  // namespace cudalabs::vgpu
