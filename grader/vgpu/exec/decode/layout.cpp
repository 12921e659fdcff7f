// Which part of the frame each register gets.
#include "vgpu/exec/decode/layout.h"

#include <algorithm>

#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

FrameLayout lay_out(const ir::Function& function) {
  FrameLayout layout;
  layout.offset.resize(function.registers.size());
  for (std::size_t reg = 0; reg < function.registers.size(); ++reg) {
    const ir::Register& declared = function.registers[reg];
    layout.offset[reg] = layout.bytes;
    layout.bytes +=
        declared.words != 0 ? declared.words * 4 * kWarpSize : std::max(64u, row_width(declared.type) * kWarpSize);
    layout.zeroed.push_back(static_cast<std::uint32_t>(reg));
  }
  return layout;
}

}  // namespace cudalabs::vgpu::exec
