// Builtin functions by name.
#include "vgpu/exec/builtins/tables.h"

namespace cudalabs::vgpu::exec {

const Builtin* find_builtin(std::string_view name) {
  if (const Builtin* builtin = find_system_function(name)) return builtin;
  for (const BuiltinTable* table : {&libdevice_mathematics(), &libdevice_arithmetic(), &device_runtime()}) {
    if (const auto found = table->find(name); found != table->end()) return &found->second;
  }
  return nullptr;
}

}  // namespace cudalabs::vgpu::exec
