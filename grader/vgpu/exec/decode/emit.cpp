// From the decoder's own form to micro-operations.
#include "vgpu/exec/decode/emit.h"

#include <algorithm>
#include <map>
#include <utility>

#include "vgpu/exec/block.h"
#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/handlers/comparison.h"
#include "vgpu/exec/handlers/select.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/handlers/select_memory.h"
#include "vgpu/exec/warp.h"
#include "vgpu/exec/warp_operation.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

bool is_float(Type type) {
  return type == Type::f32 || type == Type::f64;
}

// Bytes a lane of an operand, for constants that need a row. 0: a predicate.
std::uint32_t operand_width(const Operation& operation, std::size_t index) {
  const std::uint32_t own = row_width(operation.type);
  switch (operation.opcode) {
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe:
    case Opcode::szext:
      return index >= 1 ? 4 : own;
    case Opcode::bfi:
      return index >= 2 ? 4 : own;
    case Opcode::bmsk:
    case Opcode::fns:
      return 4;
    case Opcode::mad_wide:
      return index == 2 ? own * 2 : own;
    case Opcode::address_lea:
      return index == 0 ? row_width(operation.source_type) : 8;
    case Opcode::selp:
      return index == 2 ? 0 : own;
    case Opcode::cvt:
    case Opcode::cvt_tf32:
      return row_width(operation.source_type);
    case Opcode::cvt_pack:
      return 4;
    default:
      return own;
  }
}

Handler select_arithmetic(const Operation& operation, unsigned immediates) {
  if (operation.opcode == Opcode::lane_function) return immediates == 0 ? operation.handler : nullptr;
  for (const auto select : {&select_compare, &select_integer, &select_float, &select_move, &select_rare_integer,
                            &select_rare_float, &select_half, &select_rare_conversion}) {
    if (const Handler handler = select(operation, immediates)) return handler;
  }
  return immediates == 0 ? select_other(operation) : nullptr;
}

// What a handler finds in MicroOp::extra.
std::uint32_t extra_of(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::cvt:
    case Opcode::cvt_pack:
      return conversion_modifiers(operation);
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::fma:
    case Opcode::min:
    case Opcode::max:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::ex2:
    case Opcode::tanh:
      return half_modifiers(operation);
    default:
      return operation.detail;
  }
}

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

  void emit() {
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
    for (const auto& [site, op] : repeated_calls_) repeat_call(site, op);
    code_.frame_bytes = frame_bytes_;
  }

 private:
  std::uint32_t offset(std::uint32_t reg) const { return layout_.offset[reg]; }
  std::uint32_t offset(const Value& value) { return value.is_register() ? offset(value.reg) : constant(value.bits, 4); }

  ParameterSlot slot(std::uint32_t reg) const {
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

  std::uint32_t constant(std::uint64_t bits, std::uint32_t width) {
    if (width != 0 && width < 8) bits &= (1ull << (8 * width)) - 1;
    const auto [found, fresh] = constants_.try_emplace({width, bits}, frame_bytes_);
    if (fresh) {
      code_.constants.push_back({frame_bytes_, width, bits});
      frame_bytes_ += std::max(64u, width * kWarpSize);
    }
    return found->second;
  }

  const Segment* segment(std::uint32_t block) const { return &code_.segments[block]; }

  std::uint32_t counter(std::vector<std::uint32_t> instructions) {
    kernel_.counted.push_back(std::move(instructions));
    return static_cast<std::uint32_t>(kernel_.counted.size() - 1);
  }

  [[noreturn]] void refuse(const Operation& operation) const {
    throw UnsupportedPtx(instructions_[operation.instruction].ptx_line,
                         "the virtual GPU does not execute this form of the instruction");
  }

  void emit_block(const ir::Block& block, Segment& segment) {
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

  // Destinations and sources of vectors go to these fields, in this order.
  static std::uint32_t& field(MicroOp& op, std::initializer_list<std::uint32_t MicroOp::*> order, std::size_t index) {
    return op.*(order.begin()[index]);
  }

  MicroOp micro_op(const Operation& operation) {
    MicroOp op;
    op.instruction = operation.instruction;
    switch (operation.opcode) {
      case Opcode::load:
      case Opcode::store:
        emit_access(operation, op);
        break;
      case Opcode::atomic:
        emit_atomic(operation, op);
        break;
      case Opcode::async_copy:
        op.a = offset(operation.uses[0]);
        op.b = offset(operation.uses[1]);
        op.c = offset(operation.uses[2]);
        op.extra = operation.detail;
        op.data = describe(operation, AccessKind::load, ptx::Space::global, static_cast<std::uint8_t>(operation.detail),
                           Type::b8);
        describe(operation, AccessKind::store, ptx::Space::shared, static_cast<std::uint8_t>(operation.detail),
                 Type::b8);
        op.run = select_async(operation.opcode);
        break;
      case Opcode::async_commit:
      case Opcode::async_wait:
        op.extra = operation.flag ? 0xFFFF'FFFF : operation.detail;
        op.run = select_async(operation.opcode);
        break;
      case Opcode::load_parameter:
      case Opcode::load_blob:
      case Opcode::store_blob:
        emit_parameter(operation, op);
        break;
      case Opcode::blob_to_frame:
      case Opcode::blob_from_frame: {
        const bool to_frame = operation.opcode == Opcode::blob_to_frame;
        const std::uint32_t blob = to_frame ? operation.uses[0].reg : operation.defs[0];
        op.a = offset(blob);
        op.immediate = operation.detail;
        op.extra = function_.registers[blob].words;
        op.run = select_frame_copy(to_frame);
        break;
      }
      case Opcode::special:
        op.d = offset(operation.defs[0]);
        op.run = select_special(operation.detail);
        break;
      case Opcode::pack:
        op.d = offset(operation.defs[0]);
        op.immediate = operation.uses.size();
        for (std::size_t i = 0; i < operation.uses.size(); ++i) {
          field(op, {&MicroOp::a, &MicroOp::b, &MicroOp::c, &MicroOp::extra}, i) = offset(operation.uses[i]);
        }
        op.run = select_other(operation);
        break;
      case Opcode::unpack:
        op.a = offset(operation.uses[0]);
        op.immediate = operation.defs.size();
        for (std::size_t i = 0; i < operation.defs.size(); ++i) {
          field(op, {&MicroOp::d, &MicroOp::b, &MicroOp::c, &MicroOp::extra}, i) = offset(operation.defs[i]);
        }
        op.run = select_other(operation);
        break;
      case Opcode::shuffle:
      case Opcode::vote:
      case Opcode::match_any:
      case Opcode::match_all:
      case Opcode::redux:
      case Opcode::elect:
      case Opcode::warp_barrier:
        emit_together(operation, op);
        break;
      case Opcode::jump:
        op.run = control_.jump;
        op.target = segment(operation.targets[0]);
        break;
      case Opcode::branch_table: {
        kernel_.jump_tables.push_back(std::make_unique<std::vector<const Segment*>>());
        for (const std::uint32_t block : operation.targets) kernel_.jump_tables.back()->push_back(segment(block));
        op.run = control_.branch_table;
        op.a = offset(operation.uses[0]);
        op.data = kernel_.jump_tables.back().get();
        break;
      }
      case Opcode::call:
        emit_call(operation, op);
        break;
      case Opcode::ret:
        op.run = control_.ret;
        break;
      case Opcode::exit:
        op.run = control_.exit;
        break;
      case Opcode::trap:
        op.run = control_.trap;
        op.extra = static_cast<std::uint32_t>(operation.flag ? LaunchError::assert_failed : LaunchError::trap);
        break;
      case Opcode::nanosleep:
        op.run = control_.nanosleep;
        op.target = segment(operation.targets[0]);
        break;
      case Opcode::barrier_sync:
      case Opcode::barrier_arrive:
      case Opcode::barrier_reduce:
        emit_barrier(operation, op);
        break;
      default:
        emit_arithmetic(operation, op);
        break;
    }
    if (op.run == nullptr) refuse(operation);
    return op;
  }

  void emit_arithmetic(const Operation& operation, MicroOp& op) {
    unsigned immediates = 0;
    for (std::size_t i = 0; i < operation.uses.size(); ++i) {
      if (operation.uses[i].is_immediate()) immediates |= 1u << i;
    }
    // A form with the constant in the operation, or else constants in rows of their own.
    op.run = select_arithmetic(operation, immediates);
    if (op.run == nullptr && std::popcount(immediates) > 1) {
      for (const unsigned kept : {2u, 4u, 1u}) {
        if ((immediates & kept) == 0) continue;
        op.run = select_arithmetic(operation, kept);
        if (op.run != nullptr) {
          immediates = kept;
          break;
        }
      }
    }
    if (op.run == nullptr) {
      immediates = 0;
      op.run = select_arithmetic(operation, 0);
    }
    if (!operation.defs.empty()) op.d = offset(operation.defs[0]);
    op.extra = operation.defs.size() > 1 ? offset(operation.defs[1]) : extra_of(operation);
    for (std::size_t i = 0; i < operation.uses.size(); ++i) {
      const Value& value = operation.uses[i];
      if ((immediates >> i & 1) != 0) {
        op.immediate = value.bits;
        continue;
      }
      const std::uint32_t at =
          value.is_register() ? offset(value.reg) : constant(value.bits, operand_width(operation, i));
      if (i < 3) {
        field(op, {&MicroOp::a, &MicroOp::b, &MicroOp::c}, i) = at;
      } else if (i == 3) {
        op.immediate = at;
      }
    }
    const bool one_result = operation.opcode == Opcode::setp && operation.defs.size() == 1;
    if (one_result || operation.opcode == Opcode::branch_compare) {
      const bool complement = normalized(operation.compare, is_float(operation.type)).complement;
      op.extra = complement != operation.flag ? kAllLanes : 0;  // a branch may be on the opposite, too
    }
    if (operation.opcode == Opcode::branch) op.extra = operation.flag ? kAllLanes : 0;
    if (operation.opcode == Opcode::branch || operation.opcode == Opcode::branch_compare) {
      op.target = segment(operation.targets[0]);
      op.next = segment(operation.targets[1]);
    }
  }

  const MemoryDescriptor* describe(const Operation& operation, AccessKind kind, ptx::Space space, std::uint8_t bytes,
                                   Type type) {
    auto descriptor = std::make_unique<MemoryDescriptor>();
    descriptor->site = static_cast<std::uint32_t>(kernel_.memory.size());
    descriptor->space = space;
    descriptor->kind = kind;
    descriptor->order = operation.memory.order;
    descriptor->scope = operation.memory.scope;
    descriptor->bytes = bytes;
    descriptor->strong = operation.memory.is_volatile || operation.memory.order != MemoryOrder::weak;
    descriptor->type = type;
    // A block's and a thread's own memory are small: a GPU computes addresses there in 32 bits, where -4 and the sum
    // of a negative index and a positive offset wrap, whatever the size of the register.
    const bool narrow = space == ptx::Space::shared || space == ptx::Space::local;
    if (narrow) descriptor->address_mask = 0xFFFF'FFFF;
    kernel_.memory.push_back(std::move(descriptor));
    return kernel_.memory.back().get();
  }

  void emit_access(const Operation& operation, MicroOp& op) {
    const bool storing = operation.opcode == Opcode::store;
    const std::uint32_t elements = operation.memory.lanes;
    const auto bytes = static_cast<std::uint8_t>(elements * ptx::size_in_bytes(operation.type));
    const auto reg = [&](std::size_t i) { return storing ? operation.uses[i + 1].reg : operation.defs[i]; };
    const std::uint32_t width = row_width(function_.registers[reg(0)].type);
    op.immediate = static_cast<std::uint64_t>(operation.memory.offset);
    op.data = describe(operation, storing ? AccessKind::store : AccessKind::load, operation.memory.space, bytes,
                       operation.type);
    const Value& base = operation.uses[0];
    if (operation.memory.indexed) {
      op.run = select_indexed_access(bytes, operation.source_type, storing, base.is_register());
      if (base.is_register()) op.a = offset(base.reg);
      (storing ? op.b : op.d) = offset(reg(0));
      op.c = offset(operation.uses.back().reg);
      op.extra = operation.detail;
      return;
    }
    op.a = base.is_register() ? offset(base.reg) : constant(base.bits, 8);
    for (std::size_t i = 0; i < elements; ++i) {
      if (row_width(function_.registers[reg(i)].type) != width) refuse(operation);
      field(
          op,
          storing
              ? std::initializer_list<std::uint32_t MicroOp::*>{&MicroOp::b, &MicroOp::c, &MicroOp::d, &MicroOp::extra}
              : std::initializer_list<std::uint32_t MicroOp::*>{&MicroOp::d, &MicroOp::b, &MicroOp::c, &MicroOp::extra},
          i) = offset(reg(i));
    }
    op.run = select_access(operation.type, elements, width, storing);
  }

  void emit_atomic(const Operation& operation, MicroOp& op) {
    op.a = offset(operation.uses[0]);
    op.b = offset(operation.uses[1]);
    if (operation.uses.size() > 2) op.c = offset(operation.uses[2]);
    op.extra = operation.flag;
    if (operation.flag) op.d = offset(operation.defs[0]);
    op.immediate = static_cast<std::uint64_t>(operation.memory.offset);
    op.data = describe(operation, AccessKind::atomic, operation.memory.space,
                       static_cast<std::uint8_t>(ptx::size_in_bytes(operation.type)), operation.type);
    op.run = select_atomic(operation.type, static_cast<AtomicOperation>(operation.detail));
  }

  void emit_parameter(const Operation& operation, MicroOp& op) {
    const bool storing = operation.opcode == Opcode::store_blob;
    const bool kernel = operation.opcode == Opcode::load_parameter;
    const std::size_t elements = operation.memory.lanes;
    const auto reg = [&](std::size_t i) { return storing ? operation.uses[i].reg : operation.defs[i]; };
    const std::uint32_t width = row_width(function_.registers[reg(0)].type);
    std::uint32_t rows[4] = {};
    for (std::size_t i = 0; i < elements; ++i) {
      if (row_width(function_.registers[reg(i)].type) != width) refuse(operation);
      rows[i] = offset(reg(i));
    }
    op.extra = static_cast<std::uint32_t>(elements);
    op.immediate = operation.detail;
    if (storing) {
      op.b = rows[0];
      op.c = rows[1];
      op.d = rows[2];
    } else {
      op.d = rows[0];
      op.b = rows[1];
      op.c = rows[2];
    }
    if (kernel) {
      op.a = rows[3];
      op.run = select_parameter(operation.type, width);
    } else {
      op.a = offset(storing ? operation.defs[0] : operation.uses[0].reg);
      op.immediate |= static_cast<std::uint64_t>(rows[3]) << 32;
      op.run = select_blob(operation.type, width, storing);
    }
  }

  void emit_together(const Operation& operation, MicroOp& op) {
    const std::size_t values = operation.uses.size() - (operation.flag ? 1 : 0);
    for (std::size_t i = 0; i < values; ++i) {
      field(op, {&MicroOp::a, &MicroOp::b, &MicroOp::c}, i) = offset(operation.uses[i]);
    }
    if (operation.flag) op.immediate = offset(operation.uses.back());
    if (!operation.defs.empty()) op.d = offset(operation.defs[0]);
    if (operation.defs.size() > 1) op.extra = offset(operation.defs[1]);
    const WarpHandler handler = select_warp_operation(operation);
    if (handler.together == nullptr && operation.opcode != Opcode::warp_barrier) refuse(operation);
    op.run = handler.run;
    op.together = handler.together;
    op.target = segment(operation.targets[0]);
  }

  void emit_barrier(const Operation& operation, MicroOp& op) {
    BarrierKind kind = BarrierKind::sync;
    if (operation.opcode == Opcode::barrier_arrive) kind = BarrierKind::arrive;
    if (operation.opcode == Opcode::barrier_reduce) {
      switch (static_cast<BarrierReduction>(operation.detail)) {
        case BarrierReduction::count:
          kind = BarrierKind::count_true;
          break;
        case BarrierReduction::all:
          kind = BarrierKind::all_true;
          break;
        case BarrierReduction::any:
          kind = BarrierKind::any_true;
          break;
      }
      op.c = offset(operation.uses.back());
      op.d = offset(operation.defs[0]);
    }
    op.extra = static_cast<std::uint32_t>(kind) | (operation.flag ? kBarrierHasCount : 0);
    op.a = offset(operation.uses[0]);
    if (operation.flag) op.b = offset(operation.uses[1]);
    op.run = control_.barrier;
    op.target = segment(operation.targets[0]);
  }

  void emit_call(const Operation& operation, MicroOp& op) {
    auto site = std::make_unique<CallSite>();
    std::size_t first = 0;
    if (operation.callee != nullptr) {
      site->callee = callees_.at(operation.callee);
    } else {
      site->target = offset(operation.uses[0]);
      first = 1;
    }
    for (std::size_t i = first; i < operation.uses.size(); ++i) site->arguments.push_back(slot(operation.uses[i].reg));
    for (const std::uint32_t reg : operation.defs) site->results.push_back(slot(reg));
    site->instruction = operation.instruction;
    op.run = control_.call;
    op.target = segment(operation.targets[0]);
    op.data = site.get();
    if (operation.callee == nullptr) repeated_calls_.emplace_back(site.get(), op);
    kernel_.call_sites.push_back(std::move(site));
  }

  // A segment with nothing but the call, where lanes come that call another function than the first lane did.
  void repeat_call(CallSite* site, const MicroOp& op) {
    auto again = std::make_unique<RepeatedCall>();
    again->op = op;
    again->segment.first = &again->op;
    again->segment.counter = counter({});
    again->segment.length = 1;
    again->segment.instruction = op.instruction;
    again->segment.priority = op.target->priority;
    site->again = &again->segment;
    kernel_.repeated_calls.push_back(std::move(again));
  }

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

}  // namespace

void emit_function(const ir::Function& function, const FrameLayout& layout, KernelCode& kernel, FunctionCode& code,
                   const std::map<const ptx::Function*, FunctionCode*>& callees,
                   const std::vector<InstructionInfo>& instructions) {
  FunctionEmitter(function, layout, kernel, code, callees, instructions).emit();
}

}  // namespace cudalabs::vgpu::exec
