// What the virtual GPU makes of forms and programs.
#include "virtual_answers.h"

#include "form_kernel.h"

namespace cudalabs::conformance {

std::optional<std::vector<FormResult>> answer_to(const InstructionForm& form, const OperandTable& operands,
                                                 VirtualDevice& device) {
  const std::size_t rows = operands.rows();
  const reference::Launch launch{
      {static_cast<std::uint32_t>(rows / kThreadsPerBlock), 1, 1}, {kThreadsPerBlock, 1, 1}, 0};
  const auto bytes = device.run(kernel_of(form, rows), "form", launch, bytes_of(operands), rows * sizeof(FormResult));
  if (!bytes) return std::nullopt;
  return results_of(*bytes);
}

std::optional<std::vector<std::byte>> answer_to(const NamedProgram& named, VirtualDevice& device) {
  const reference::Program program = named.make();
  return device.run(program.ptx, "program", program.launch, program.input, program.output_bytes);
}

}  // namespace cudalabs::conformance
