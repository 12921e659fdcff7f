// Names of variables in shared memory.
#pragma once

#include <set>
#include <string_view>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// Of all variables in shared memory, also of those that functions declare; as long as the module.
inline std::set<std::string_view> shared_names(const Module& module) {
  std::set<std::string_view> names;
  const auto add = [&](const std::vector<Variable>& variables) {
    for (const Variable& variable : variables) {
      if (variable.space == Space::shared) names.insert(variable.name);
    }
  };
  add(module.variables);
  for (const Function& function : module.functions) add(function.variables);
  return names;
}

}  // namespace cudalabs::vgpu::ptx
