// From one segment to the next: counting, budgets, and the place where lanes that took different ways meet again.
#include <bit>

#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/scheduler.h"
#include "vgpu/exec/warp.h"

// Per-target include guard
#if defined(CUDALABS_VGPU_EXEC_HANDLERS_BRANCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUDALABS_VGPU_EXEC_HANDLERS_BRANCH_INL_H_
#undef CUDALABS_VGPU_EXEC_HANDLERS_BRANCH_INL_H_
#else
#define CUDALABS_VGPU_EXEC_HANDLERS_BRANCH_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {

/// The lanes in `mask` begin `segment`, unless others should run first.
HWY_INLINE const MicroOp* enter(const Segment* segment, std::byte* registers, Warp* warp, LaneMask mask) {
  // One comparison each: is another split waiting here or earlier, and has this one had its turn?
  if ((warp->depth_key | segment->priority) >= warp->wake_key || warp->budget < 0) [[unlikely]] {
    return suspend(warp, segment, mask);
  }
  begin(warp, segment, mask);
  return go_to(segment->first, registers, warp, mask);
}

/// `taken` go to op->target, the rest of `mask` to op->next.
HWY_INLINE const MicroOp* branch(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask, LaneMask taken) {
  if (taken == mask) return enter(op->target, registers, warp, mask);
  if (taken == 0) return enter(op->next, registers, warp, mask);
  return diverge(warp, op->target, taken, op->next, mask & ~taken);
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
