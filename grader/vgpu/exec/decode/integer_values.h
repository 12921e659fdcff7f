// Integers as registers hold them: what the passes that compute with operands know of them.
#pragma once

#include <cstdint>

#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

/// Whether operations of this type compute with integers, or with bits as if they were. Those of bytes are computed in
/// wider registers.
inline bool is_integer(ir::Type type) {
  using ir::Type;
  switch (type) {
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return true;
    default:
      return false;
  }
}

/// The bits that a register of the type has.
inline std::uint64_t low_bits(std::uint64_t bits, ir::Type type) {
  const std::uint32_t width = 8 * row_width(type);
  return width >= 64 || width == 0 ? bits : bits & ((1ull << width) - 1);
}

}  // namespace cudalabs::vgpu::exec
