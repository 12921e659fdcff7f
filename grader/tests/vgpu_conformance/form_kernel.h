// A kernel for one form: each thread takes a row of operands and stores what the form makes of it.
#pragma once

#include <string>
#include <vector>

#include "instruction_form.h"

namespace cudalabs::conformance {

constexpr std::uint32_t kThreadsPerBlock = 256;

/// PTX text with the kernel "form". Parameters: the operands' columns, 8 bytes a value, one column behind the other;
/// and the results, 16 bytes a row: the result, then a second one (a carry, what an atomic operation leaves in memory,
/// what a function delivers through a pointer). Both are zero before. As many threads as rows, a multiple of a block's.
/// A function of libdevice is called as one that the module declares.
std::string kernel_of(const InstructionForm& form, std::size_t rows);

/// CUDA source with such a kernel for each function, called like it with "form" before it.
std::string source_of(const std::vector<InstructionForm>& functions);

}  // namespace cudalabs::conformance
