// What the variables of a module are made of, by its debug information.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "vgpu/ptx/data_type.h"
#include "vgpu/ptx/debug_entries.h"

namespace cudalabs::vgpu::ptx {

/// By the variable's name in the module.
using VariableTypes = std::map<std::string, std::shared_ptr<const DataType>, std::less<>>;

/// Those whose extents are known, or all but the outermost.
VariableTypes variable_types(const DebugEntries& entries);

}  // namespace cudalabs::vgpu::ptx
