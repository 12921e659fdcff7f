// One way to spell an instruction.
#include "instruction_form.h"

namespace cudalabs::conformance {

using vgpu::ptx::Type;

char register_letter(const Slot& slot) {
  if (slot.type == Type::f32) return 'f';
  if (slot.type == Type::f64) return 'e';
  return slot.bits == 1 ? 'p' : slot.bits == 16 ? 'h' : slot.bits == 32 ? 'r' : 'd';
}

std::string register_type(const Slot& slot) {
  if (slot.type == Type::f32) return "f32";
  if (slot.type == Type::f64) return "f64";
  return slot.bits == 1 ? "pred" : slot.bits == 16 ? "b16" : slot.bits == 32 ? "b32" : "b64";
}

std::string InstructionForm::key() const {
  if (!written.empty()) return text + ' ' + written;
  std::string text_and_registers = text + ' ';
  if (shape == Shape::predicate_pair) {
    text_and_registers += 'q';
  } else if (result.bits != 0) {
    text_and_registers += register_letter(result);
  }
  for (const Slot& operand : operands) text_and_registers += register_letter(operand);
  return text_and_registers;
}

bool InstructionForm::approximate() const {
  if (shape == Shape::function) {
    const Slot& first = result.bits != 0 ? result : stores.front();
    return first.type == Type::f32 || first.type == Type::f64;
  }
  return text.find(".approx") != std::string::npos || text.find(".full") != std::string::npos;
}

}  // namespace cudalabs::conformance
