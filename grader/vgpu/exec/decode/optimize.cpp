// Makes a translated function faster to interpret without changing anything an observer can see.
#include "vgpu/exec/decode/optimize.h"

#include "vgpu/exec/decode/control_flow.h"
#include "vgpu/exec/decode/simplify.h"

namespace cudalabs::vgpu::exec {

void optimize(ir::Function& function) {
  merge_blocks(function);
  propagate_constants(function);
  order_blocks(function);
  fuse(function);
  drop_unused(function);
  // An iteration in one piece gives the neighbours at its seam a chance, too.
  rotate_loops(function);
  merge_blocks(function);
  order_blocks(function);
  fuse(function);
  drop_unused(function);
  read_copies(function);
}

}  // namespace cudalabs::vgpu::exec
