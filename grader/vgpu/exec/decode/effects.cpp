// What an operation reads and writes, and whether it does anything else.
#include "vgpu/exec/decode/effects.h"

namespace cudalabs::vgpu::exec {

bool is_pure(const ir::Operation& operation) {
  using ir::Opcode;
  if (ir::ends_block(operation.opcode)) return false;
  switch (operation.opcode) {
    case Opcode::load:
    case Opcode::store:
    case Opcode::atomic:
    case Opcode::async_copy:
    case Opcode::async_commit:
    case Opcode::async_wait:
    case Opcode::check_set:
    case Opcode::store_blob:
    case Opcode::blob_to_frame:
    case Opcode::blob_from_frame:
    case Opcode::fence:
      return false;
    case Opcode::lane_function:
      return !operation.pinned;
    default:
      return true;
  }
}

}  // namespace cudalabs::vgpu::exec
