// Every function of mathematics that the virtual GPU provides.
#include "instruction_forms.h"
#include "vgpu/exec/builtins/tables.h"

namespace cudalabs::conformance {

namespace {

using vgpu::ptx::Type;

Slot slot_of(Type type) {
  return {type, 8 * vgpu::ptx::size_in_bytes(type)};
}

}  // namespace

std::vector<InstructionForm> all_function_forms() {
  std::vector<InstructionForm> forms;
  for (const auto* table : {&vgpu::exec::libdevice_mathematics(), &vgpu::exec::libdevice_arithmetic()}) {
    for (const auto& [name, builtin] : *table) {
      InstructionForm form{.text = name, .shape = Shape::function};
      if (builtin.result != Type::none) form.result = slot_of(builtin.result);
      for (std::size_t i = 0; i < builtin.arguments.size(); ++i) {
        if (!builtin.is_pointer(i)) form.operands.push_back(slot_of(builtin.arguments[i]));
      }
      // An integer before a real number is the order of a Bessel function.
      form.counts = form.operands.size() == 2 && form.operands[0].type == Type::b32 &&
                    (form.operands[1].type == Type::f32 || form.operands[1].type == Type::f64);
      for (const vgpu::exec::Builtin::Store& store : builtin.stores) form.stores.push_back(slot_of(store.type));
      forms.push_back(std::move(form));
    }
  }
  return forms;
}

}  // namespace cudalabs::conformance
