// Jumps, calls, returns, exits, barriers, and guards around single operations.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/exec/handlers/control.cpp"
#include "vgpu/exec/handlers/foreach_level.h"
// After the above:
#include "vgpu/exec/calls.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/branch-inl.h"
#include "vgpu/exec/handlers/lanes-inl.h"
#include "vgpu/exec/handlers/select_control.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {
namespace {

const MicroOp* jump(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  return enter(op->target, registers, warp, mask);
}

const MicroOp* branch_table(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& table = *static_cast<const std::vector<const Segment*>*>(op->data);
  return diverge_by_table(warp, table, row<const std::uint32_t>(registers, op->a), mask);
}

const MicroOp* call_function(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto* site = static_cast<const CallSite*>(op->data);
  if (site->callee != nullptr) return call(warp, site, site->callee, op->target, mask);
  // Through a pointer: lanes may call different functions; those that call the first one's go now.
  const std::uint64_t* addresses = row<const std::uint64_t>(registers, site->target);
  const std::uint64_t address = addresses[std::countr_zero(mask)];
  LaneMask alike = 0;
  for (const std::uint32_t lane : each_lane(mask)) {
    if (addresses[lane] == address) alike |= 1u << lane;
  }
  return call_through_pointer(warp, op, address, alike, mask & ~alike);
}

const MicroOp* ret(const MicroOp*, std::byte*, Warp* warp, LaneMask mask) {
  return return_from_call(warp, mask);
}

const MicroOp* exit(const MicroOp*, std::byte*, Warp* warp, LaneMask mask) {
  return exit_lanes(warp, mask);
}

const MicroOp* trap(const MicroOp* op, std::byte*, Warp* warp, LaneMask mask) {
  return fail(warp, op->instruction, mask, static_cast<LaunchError>(op->extra));
}

const MicroOp* nanosleep(const MicroOp* op, std::byte*, Warp* warp, LaneMask mask) {
  // A warp that sleeps waits for other warps: its turn is over.
  const std::int64_t rest = warp->budget / kStrongAccessCost + 1;
  warp->budget -= rest * kStrongAccessCost;
  warp->strong_accesses += rest;
  warp->looks += rest;  // nobody hears of it
  return suspend(warp, op->target, mask);
}

const MicroOp* barrier(const MicroOp* op, std::byte*, Warp* warp, LaneMask mask) {
  return wait_at_barrier(warp, op, mask);
}

// The operations up to `guard_end`, `c` of them, are for the lanes whose predicate holds (complemented by `extra`).
const MicroOp* guard_begin(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const LaneMask inside = mask & (*reinterpret_cast<const LaneMask*>(registers + op->a) ^ op->extra);
  if (inside == 0) return go_to(op + op->c + 2, registers, warp, mask);
  Count& count = warp->counts[op->b];
  ++count.executed;
  count.lanes += static_cast<std::uint64_t>(std::popcount(inside));
  warp->unguarded = mask;
  warp->running = inside;
  return next(op, registers, warp, inside);
}

const MicroOp* guard_end(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask) {
  warp->running = warp->unguarded;
  return next(op, registers, warp, warp->unguarded);
}

}  // namespace

ControlHandlers control_handlers_here() {
  return {&jump, &branch_table, &call_function, &ret, &exit, &trap, &nanosleep, &barrier, &guard_begin, &guard_end};
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::vgpu::exec {

HWY_EXPORT(control_handlers_here);

ControlHandlers control_handlers() {
  return HWY_DYNAMIC_DISPATCH(control_handlers_here)();
}

}  // namespace cudalabs::vgpu::exec
#endif  // HWY_ONCE
