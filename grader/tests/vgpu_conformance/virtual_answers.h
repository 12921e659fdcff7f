// What the virtual GPU makes of forms and programs.
#pragma once

#include "form_results.h"
#include "programs.h"
#include "virtual_device.h"

namespace cudalabs::conformance {

/// None: the virtual GPU does not execute it. Both throw std::runtime_error when it does not come to an end.
std::optional<std::vector<FormResult>> answer_to(const InstructionForm& form, const OperandTable& operands,
                                                 VirtualDevice& device);
std::optional<std::vector<std::byte>> answer_to(const NamedProgram& program, VirtualDevice& device);

}  // namespace cudalabs::conformance
