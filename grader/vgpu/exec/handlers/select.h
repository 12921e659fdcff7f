// Which handler executes an operation: one function per family, each compiled for several instruction sets.
#pragma once

#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/micro_op.h"

namespace cudalabs::vgpu::exec {

/// All take an operation and the set of its uses that are immediates (bit i: use i). Null: there is no such form; the
/// caller then tries again with the immediates in registers, and at last refuses the operation.
Handler select_integer(const ir::Operation& operation, unsigned immediates);
Handler select_float(const ir::Operation& operation, unsigned immediates);
Handler select_directed(const ir::Operation& operation, unsigned immediates);
Handler select_half(const ir::Operation& operation, unsigned immediates);
Handler select_compare(const ir::Operation& operation, unsigned immediates);
Handler select_rare_conversion(const ir::Operation& operation, unsigned immediates);
Handler select_move(const ir::Operation& operation, unsigned immediates);

/// What goes to MicroOp::extra for operations on 16-bit formats, and for conversions.
std::uint32_t half_modifiers(const ir::Operation& operation);
std::uint32_t conversion_modifiers(const ir::Operation& operation);

}  // namespace cudalabs::vgpu::exec
