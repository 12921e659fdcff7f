// From the decoder's own form to micro-operations.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/micro_op.h"
#include "vgpu/exec/program.h"

namespace cudalabs::vgpu::exec {

/// Where each register lives in the frame.
struct FrameLayout {
  std::vector<std::uint32_t> offset;  // by register; bytes
  std::uint32_t bytes = 0;
  std::vector<std::uint32_t> unset;  // registers that may be read before they are written
  std::uint32_t registers = 0;       // 32-bit registers a thread holds values in at a time
};

/// Appends the function's code to `kernel`; `code` is the place reserved for it.
/// `callees`: by PTX function. Throws UnsupportedPtx for an operation without a handler.
void emit_function(const ir::Function& function, const FrameLayout& layout, KernelCode& kernel, FunctionCode& code,
                   const std::map<const ptx::Function*, FunctionCode*>& callees,
                   const std::vector<InstructionInfo>& instructions);

}  // namespace cudalabs::vgpu::exec
