// From the decoder's own form to micro-operations, function by function and block by block.
#include "vgpu/exec/decode/emit.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "vgpu/exec/decode/control_flow.h"
#include "vgpu/exec/decode/function_emitter.h"
#include "vgpu/exec/decode/operation_facts.h"
#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/handlers/select_memory.h"

namespace cudalabs::vgpu::exec {

using ir::Maker;
using ir::Opcode;
using ir::Operation;
using ir::Type;

void FunctionEmitter::emit() {
  code_.segments.resize(function_.blocks.size());
  code_.local_bytes = function_.local_bytes;
  for (const std::uint32_t reg : function_.parameters) code_.parameters.push_back(slot(reg));
  for (const std::uint32_t reg : function_.results) code_.results.push_back(slot(reg));
  for (const std::uint32_t reg : layout_.unset) {
    const ParameterSlot row = slot(reg);
    code_.unset.push_back({row.offset, row.predicate ? 0 : row.row_bytes});
  }
  std::vector<std::size_t> first(function_.blocks.size());
  for (std::size_t block = 0; block < function_.blocks.size(); ++block) {
    first[block] = code_.ops.size();
    emit_block(function_.blocks[block], code_.segments[block]);
  }
  for (std::size_t block = 0; block < function_.blocks.size(); ++block) {
    code_.segments[block].first = &code_.ops[first[block]];
  }
  code_.ways = ways_of(function_);
  for (const auto& [site, op] : repeated_calls_) repeat_call(site, op);
  code_.frame_bytes = frame_bytes_;
}

ParameterSlot FunctionEmitter::slot(std::uint32_t reg) const {
  const ir::Register& declared = function_.registers[reg];
  ParameterSlot place{.offset = offset(reg)};
  if (declared.words != 0) {
    place.row_bytes = declared.words * 4 * kWarpSize;
    place.array = true;
  } else {
    place.row_bytes = row_width(declared.type) * kWarpSize;
    place.predicate = declared.type == Type::pred;
  }
  return place;
}

std::uint32_t FunctionEmitter::constant(std::uint64_t bits, std::uint32_t width) {
  if (width != 0 && width < 8) bits &= (1ull << (8 * width)) - 1;
  const auto [found, fresh] = constants_.try_emplace({width, bits}, frame_bytes_);
  if (fresh) {
    code_.constants.push_back({frame_bytes_, width, bits});
    frame_bytes_ += std::max(64u, width * kWarpSize);
  }
  return found->second;
}

std::uint32_t FunctionEmitter::counter(std::vector<std::uint32_t> instructions) {
  kernel_.counted.push_back(std::move(instructions));
  return static_cast<std::uint32_t>(kernel_.counted.size() - 1);
}

void FunctionEmitter::refuse(const Operation& operation) const {
  throw UnsupportedPtx(instructions_[operation.instruction].ptx_line,
                       "the virtual GPU does not execute this form of the instruction");
}

void FunctionEmitter::emit_block(const ir::Block& block, Segment& segment) {
  segment.counter = counter(block.counted);
  segment.length = static_cast<std::uint32_t>(std::max<std::size_t>(block.counted.size(), 1));
  segment.priority = block.priority;
  segment.instruction = block.operations.front().instruction;
  for (std::size_t i = 0; i < block.operations.size();) {
    const Operation& operation = block.operations[i];
    if (operation.guard == ir::kNoRegister) {
      code_.ops.push_back(micro_op(operation));
      ++i;
      continue;
    }
    // What one guarded instruction became is guarded together.
    std::size_t end = i;
    while (end < block.operations.size() && block.operations[end].guard == operation.guard &&
           block.operations[end].guard_negated == operation.guard_negated &&
           block.operations[end].instruction == operation.instruction) {
      ++end;
    }
    MicroOp begin;
    begin.run = control_.guard_begin;
    begin.a = offset(operation.guard);
    begin.b = counter({operation.instruction});
    begin.c = static_cast<std::uint32_t>(end - i);
    begin.extra = operation.guard_negated ? kAllLanes : 0;
    begin.instruction = operation.instruction;
    code_.ops.push_back(begin);
    for (; i < end; ++i) code_.ops.push_back(micro_op(block.operations[i]));
    MicroOp finish;
    finish.run = control_.guard_end;
    finish.instruction = operation.instruction;
    code_.ops.push_back(finish);
  }
}

MicroOp FunctionEmitter::micro_op(const Operation& operation) {
  MicroOp op;
  op.instruction = operation.instruction;
  switch (ir::facts_of(operation.opcode).maker) {
    case Maker::access:
      emit_access(operation, op);
      break;
    case Maker::atomic:
      emit_atomic(operation, op);
      break;
    case Maker::barrier_look:
      emit_barrier_look(operation, op);
      break;
    case Maker::async_copy:
      emit_async_copy(operation, op);
      break;
    case Maker::async_order:
      op.extra = operation.flag ? 0xFFFF'FFFF : operation.detail;
      op.run = select_async(operation.opcode);
      break;
    case Maker::bulk_copy:
      emit_bulk_copy(operation, op);
      break;
    case Maker::bulk_order:
      op.extra = operation.detail;
      op.immediate = operation.flag;
      op.run = select_bulk(operation.opcode);
      break;
    case Maker::parameter:
      emit_parameter(operation, op);
      break;
    case Maker::frame_copy: {
      const bool to_frame = operation.opcode == Opcode::blob_to_frame;
      const std::uint32_t blob = to_frame ? operation.uses[0].reg : operation.defs[0];
      op.a = offset(blob);
      op.immediate = operation.detail;
      op.extra = function_.registers[blob].words;
      op.run = select_frame_copy(to_frame);
      break;
    }
    case Maker::image:
      emit_image(operation, op);
      break;
    case Maker::special:
      op.d = offset(operation.defs[0]);
      op.run = select_special(operation.detail);
      break;
    case Maker::pack:
      op.d = offset(operation.defs[0]);
      op.immediate = operation.uses.size();
      for (std::size_t i = 0; i < operation.uses.size(); ++i) {
        field(op, {&MicroOp::a, &MicroOp::b, &MicroOp::c, &MicroOp::extra}, i) = offset(operation.uses[i]);
      }
      op.run = select_pack(operation);
      break;
    case Maker::unpack:
      op.a = offset(operation.uses[0]);
      op.immediate = operation.defs.size();
      for (std::size_t i = 0; i < operation.defs.size(); ++i) {
        field(op, {&MicroOp::d, &MicroOp::b, &MicroOp::c, &MicroOp::extra}, i) = offset(operation.defs[i]);
      }
      op.run = select_pack(operation);
      break;
    case Maker::together:
      emit_together(operation, op);
      break;
    case Maker::matrix:
      emit_matrix(operation, op);
      break;
    case Maker::jump:
      op.run = control_.jump;
      op.target = segment(operation.targets[0]);
      break;
    case Maker::branch_table: {
      kernel_.jump_tables.push_back(std::make_unique<std::vector<const Segment*>>());
      for (const std::uint32_t block : operation.targets) kernel_.jump_tables.back()->push_back(segment(block));
      op.run = control_.branch_table;
      op.a = offset(operation.uses[0]);
      op.data = kernel_.jump_tables.back().get();
      break;
    }
    case Maker::call:
      emit_call(operation, op);
      break;
    case Maker::ret:
      op.run = control_.ret;
      break;
    case Maker::exit:
      op.run = control_.exit;
      break;
    case Maker::trap:
      op.run = control_.trap;
      op.extra = static_cast<std::uint32_t>(operation.flag ? LaunchError::assert_failed : LaunchError::trap);
      break;
    case Maker::nanosleep:
      op.run = control_.nanosleep;
      op.target = segment(operation.targets[0]);
      break;
    case Maker::barrier:
      emit_barrier(operation, op);
      break;
    case Maker::arithmetic:
      emit_arithmetic(operation, op);
      break;
  }
  if (op.run == nullptr) refuse(operation);
  return op;
}

void emit_function(const ir::Function& function, const FrameLayout& layout, KernelCode& kernel, FunctionCode& code,
                   const std::map<const ptx::Function*, FunctionCode*>& callees,
                   const std::vector<InstructionInfo>& instructions) {
  FunctionEmitter(function, layout, kernel, code, callees, instructions).emit();
}

}  // namespace cudalabs::vgpu::exec
