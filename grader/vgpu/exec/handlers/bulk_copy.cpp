// cp.async.bulk, its groups, and fence.proxy.async.
#include "vgpu/exec/bulk_copies.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"

namespace cudalabs::vgpu::exec {

namespace {

const MicroOp* copy_in_bulk(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  begin_bulk_copies(warp, op, registers, mask);
  return next(op, registers, warp, mask);
}

const MicroOp* commit_bulk(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  commit_bulk_copies(warp, mask);
  return next(op, registers, warp, mask);
}

const MicroOp* wait_for_bulk(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  wait_for_bulk_copies(warp, mask, op->extra, op->immediate != 0);
  return next(op, registers, warp, mask);
}

const MicroOp* fence_proxy(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  if (warp->block->load_runs.waiting()) warp->block->load_runs.tell(warp->block);
  for (const auto& observer : warp->block->observers) observer->proxy_fence(warp->index, mask);
  return next(op, registers, warp, mask);
}

}  // namespace

Handler select_bulk(ir::Opcode opcode) {
  switch (opcode) {
    case ir::Opcode::bulk_copy:
      return &copy_in_bulk;
    case ir::Opcode::bulk_commit:
      return &commit_bulk;
    case ir::Opcode::bulk_wait:
      return &wait_for_bulk;
    case ir::Opcode::proxy_fence:
      return &fence_proxy;
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec
