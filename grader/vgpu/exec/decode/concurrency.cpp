// Whether a kernel's blocks may run at once without changing what it computes.
#include "vgpu/exec/decode/concurrency.h"

#include "vgpu/exec/bulk_form.h"
#include "vgpu/exec/special_register.h"

namespace cudalabs::vgpu::exec {

namespace {

bool talks_to_other_blocks(const ir::Operation& operation) {
  switch (operation.opcode) {
    case ir::Opcode::load:
    case ir::Opcode::store:
    case ir::Opcode::barrier_look:
    case ir::Opcode::atomic: {
      const ptx::Space space = operation.memory.space;
      const bool private_space = space == ptx::Space::shared || space == ptx::Space::local ||
                                 space == ptx::Space::constant || space == ptx::Space::param;
      // What is strong for its own block only cannot be meant for others.
      if (operation.memory.of_cluster) return true;
      return operation.memory.order != MemoryOrder::weak && operation.memory.scope != MemoryScope::block &&
             !private_space;
    }
    case ir::Opcode::fence:
      return static_cast<MemoryScope>(operation.detail) != MemoryScope::block;
    case ir::Opcode::bulk_copy: {
      const BulkForm form = BulkForm::unpacked(operation.detail, operation.type);
      return form.to_global && form.reduction.has_value();
    }
    case ir::Opcode::surface_reduce:
    case ir::Opcode::mapa:
    case ir::Opcode::cluster_arrive:
    case ir::Opcode::cluster_wait:
      return true;
    case ir::Opcode::lane_function:
      return operation.flag;  // allocates
    default:
      return false;
  }
}

template <class Predicate>
bool any_operation(const std::vector<ir::Function>& functions, Predicate predicate) {
  for (const ir::Function& function : functions) {
    for (const ir::Block& block : function.blocks) {
      for (const ir::Operation& operation : block.operations) {
        if (predicate(operation)) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool may_run_concurrently(const std::vector<ir::Function>& functions) {
  return !any_operation(functions, &talks_to_other_blocks);
}

bool may_allocate(const std::vector<ir::Function>& functions) {
  return any_operation(functions, [](const ir::Operation& operation) {
    return operation.opcode == ir::Opcode::lane_function && operation.flag;
  });
}

bool asks_for_grid_workspace(const std::vector<ir::Function>& functions) {
  return any_operation(functions, [](const ir::Operation& operation) {
    return operation.opcode == ir::Opcode::special &&
           operation.detail == static_cast<std::uint32_t>(Special::grid_workspace_low);
  });
}

}  // namespace cudalabs::vgpu::exec
