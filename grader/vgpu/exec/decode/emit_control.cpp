// Micro-operations of several lanes or warps together, and calls.
#include "vgpu/exec/decode/function_emitter.h"

#include <memory>
#include <utility>

#include "vgpu/exec/handlers/select.h"
#include "vgpu/exec/warp_operation.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;

void FunctionEmitter::emit_together(const Operation& operation, MicroOp& op) {
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

void FunctionEmitter::emit_barrier(const Operation& operation, MicroOp& op) {
  if (operation.opcode == Opcode::cluster_arrive || operation.opcode == Opcode::cluster_wait) {
    const BarrierKind arrival = operation.flag ? BarrierKind::cluster_arrive : BarrierKind::cluster_arrive_relaxed;
    op.extra =
        static_cast<std::uint32_t>(operation.opcode == Opcode::cluster_wait ? BarrierKind::cluster_wait : arrival);
    op.run = control_.barrier;
    op.target = segment(operation.targets[0]);
    return;
  }
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

void FunctionEmitter::emit_call(const Operation& operation, MicroOp& op) {
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
void FunctionEmitter::repeat_call(CallSite* site, const MicroOp& op) {
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

}  // namespace cudalabs::vgpu::exec
