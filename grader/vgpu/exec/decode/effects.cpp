// What an operation reads and writes, and whether it does anything else.
#include "vgpu/exec/decode/effects.h"

#include "vgpu/exec/decode/operation_facts.h"

namespace cudalabs::vgpu::exec {

bool is_pure(const ir::Operation& operation) {
  return ir::facts_of(operation.opcode).effect == ir::Effect::pure && !operation.pinned;
}

}  // namespace cudalabs::vgpu::exec
