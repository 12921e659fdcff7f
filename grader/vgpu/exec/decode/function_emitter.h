// Turns one function into micro-operations. The parts of the work lie in emit.cpp (blocks), emit_arithmetic.cpp,
// emit_memory.cpp and emit_control.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "vgpu/exec/block_barriers.h"
#include "vgpu/exec/decode/emit.h"
#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

class FunctionEmitter {
 public:
  FunctionEmitter(const ir::Function& function, const FrameLayout& layout, KernelCode& kernel, FunctionCode& code,
                  const std::map<const ptx::Function*, FunctionCode*>& callees,
                  const std::vector<InstructionInfo>& instructions)
      : function_(function),
        layout_(layout),
        kernel_(kernel),
        code_(code),
        callees_(callees),
        instructions_(instructions),
        frame_bytes_(layout.bytes) {}

  void emit();

 private:
  using Field = std::uint32_t MicroOp::*;

  std::uint32_t offset(std::uint32_t reg) const { return layout_.offset[reg]; }
  std::uint32_t offset(const ir::Value& value) {
    return value.is_register() ? offset(value.reg) : constant(value.bits, 4);
  }

  ParameterSlot slot(std::uint32_t reg) const;
  /// A row with the value in every lane. `width`: bytes of it; 0: a predicate.
  std::uint32_t constant(std::uint64_t bits, std::uint32_t width);
  const Segment* segment(std::uint32_t block) const { return &code_.segments[block]; }

  /// Of executions of these instructions.
  std::uint32_t counter(std::vector<std::uint32_t> instructions);
  [[noreturn]] void refuse(const ir::Operation& operation) const;

  // Destinations and sources of vectors go to these fields, in this order.
  static std::uint32_t& field(MicroOp& op, std::initializer_list<Field> order, std::size_t index) {
    return op.*(order.begin()[index]);
  }

  void emit_block(const ir::Block& block, Segment& segment);
  MicroOp micro_op(const ir::Operation& operation);

  void emit_arithmetic(const ir::Operation& operation, MicroOp& op);

  const MemoryDescriptor* describe(const ir::Operation& operation, AccessKind kind, ptx::Space space,
                                   std::uint8_t bytes, ir::Type type);
  void emit_access(const ir::Operation& operation, MicroOp& op);
  void emit_async_copy(const ir::Operation& operation, MicroOp& op);
  void emit_bulk_copy(const ir::Operation& operation, MicroOp& op);
  void emit_image(const ir::Operation& operation, MicroOp& op);
  void emit_barrier_look(const ir::Operation& operation, MicroOp& op);
  void emit_atomic(const ir::Operation& operation, MicroOp& op);
  void emit_parameter(const ir::Operation& operation, MicroOp& op);

  void emit_together(const ir::Operation& operation, MicroOp& op);
  void emit_matrix(const ir::Operation& operation, MicroOp& op);
  void emit_barrier(const ir::Operation& operation, MicroOp& op);
  void emit_call(const ir::Operation& operation, MicroOp& op);
  void repeat_call(CallSite* site, const MicroOp& op);

  const ir::Function& function_;
  const FrameLayout& layout_;
  KernelCode& kernel_;
  FunctionCode& code_;
  const std::map<const ptx::Function*, FunctionCode*>& callees_;
  const std::vector<InstructionInfo>& instructions_;
  const ControlHandlers control_ = control_handlers();
  std::uint32_t frame_bytes_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> constants_;  // (width, bits) -> offset
  std::vector<std::pair<CallSite*, MicroOp>> repeated_calls_;
};

}  // namespace cudalabs::vgpu::exec
