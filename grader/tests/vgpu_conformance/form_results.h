// What a machine made of a form's operands, and what is kept of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "operand_values.h"

namespace cudalabs::conformance {

struct FormResult {
  std::uint64_t first = 0, second = 0;
};

/// Of the operands' columns, as kernel_of() wants them.
std::vector<std::byte> bytes_of(const OperandTable& operands);
/// Of the memory that a kernel has written.
std::vector<FormResult> results_of(std::span<const std::byte> bytes);

/// For each sort of row a digest of 32 bits, "-" where there is no such row: "5c1f0e77 - - 03a1b2c4 99aabbcc".
std::string digests_of(const InstructionForm& form, const OperandTable& operands,
                       const std::vector<FormResult>& results);

/// The rows of which the results themselves are kept, where digests cannot be compared.
std::vector<std::size_t> sampled_rows(const InstructionForm& form, const OperandTable& operands);
/// The results of these rows as hexadecimal digits, all of a row's together.
std::string samples_of(const InstructionForm& form, const OperandTable& operands,
                       const std::vector<FormResult>& results);
/// And back. Throws std::invalid_argument when the text is of another length.
std::vector<FormResult> read_samples(const InstructionForm& form, const OperandTable& operands,
                                     const std::string& samples);

/// A digest of any bytes, as 16 hexadecimal digits.
std::string digest_of(std::span<const std::byte> bytes);

}  // namespace cudalabs::conformance
