// Every form of arithmetic instruction and every function of mathematics, as the virtual GPU's tables have them.
#pragma once

#include <vector>

#include "instruction_form.h"

namespace cudalabs::conformance {

/// For each opcode that the instruction set says computes a result out of operands, and for atomic operations: the
/// lane forms as they are spelled, and of the other families every combination of modifiers and types that PTX may
/// know. Some of them PTX does not know, and some the virtual GPU does not.
std::vector<InstructionForm> all_instruction_forms();

/// The functions of libdevice that the virtual GPU provides.
std::vector<InstructionForm> all_function_forms();

}  // namespace cudalabs::conformance
