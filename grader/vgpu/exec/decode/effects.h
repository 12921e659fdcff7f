// What an operation reads and writes, and whether it does anything else.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// Nothing happens but that its results get values.
bool is_pure(const ir::Operation& operation);

/// It tells observers of a way that lanes take.
inline bool tells_of_way(const ir::Operation& operation) {
  return operation.opcode == ir::Opcode::leave_barriers || operation.opcode == ir::Opcode::leave_shuffles;
}

/// Nothing that the program may see, but that its results get values.
inline bool does_nothing(const ir::Operation& operation) {
  return is_pure(operation) || tells_of_way(operation);
}

/// Whether the operation may leave a result as it was, in lanes that execute it: its guard may be false, or it writes
/// part of an array.
inline bool defines_partly(const ir::Operation& operation) {
  return operation.guard != ir::kNoRegister || operation.opcode == ir::Opcode::store_blob;
}

/// Calls visit(register) for everything the operation reads.
template <class Visit>
void for_each_read(const ir::Operation& operation, Visit visit) {
  for (const ir::Value& value : operation.uses) {
    if (value.is_register()) visit(value.reg);
  }
  if (operation.guard != ir::kNoRegister) visit(operation.guard);
  if (defines_partly(operation)) {
    for (const std::uint32_t reg : operation.defs) visit(reg);
  }
}

/// How often each register is written, a parameter's arrival included.
std::vector<std::uint32_t> count_definitions(const ir::Function& function);

/// How often each register is read, by the caller who gets a result included.
std::vector<std::uint32_t> count_reads(const ir::Function& function);

}  // namespace cudalabs::vgpu::exec
