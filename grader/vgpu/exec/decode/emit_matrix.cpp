// Micro-operations on matrices.
#include <algorithm>
#include <cstddef>
#include <iterator>

#include "vgpu/exec/decode/function_emitter.h"
#include "vgpu/exec/matrix_form.h"

namespace cudalabs::vgpu::exec {

namespace {

using Piece = MatrixOperation::Piece;

bool are_alike(const tensor::Fragment& fragment, std::uint32_t first, std::uint32_t second, std::uint32_t count) {
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (fragment.at(lane, first + i) != fragment.at(lane, second + i)) return false;
    }
  }
  return true;
}

/// Whether elements [first, first + count) of each lane lie side by side in memory.
bool are_together(const tensor::Fragment& fragment, std::uint32_t first, std::uint32_t count, bool by_columns) {
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    for (std::uint32_t i = 1; i < count; ++i) {
      const tensor::Position& before = fragment.at(lane, first + i - 1);
      const tensor::Position next{before.row + (by_columns ? 1 : 0), before.column + (by_columns ? 0 : 1)};
      if (fragment.at(lane, first + i) != next) return false;
    }
  }
  return true;
}

/// A register is accessed as a whole where memory allows it. What lanes have twice is accessed once.
void plan_access(MatrixOperation& operation) {
  const tensor::Fragment& fragment = operation.form->d;
  const std::uint32_t in_register = fragment.register_bytes() * 8 / tensor::bits_of(fragment.element);
  for (std::uint32_t reg = 0; reg < fragment.registers(); ++reg) {
    const std::uint32_t first = reg * in_register;
    std::uint32_t same = 0;
    while (same < reg && !are_alike(fragment, same * in_register, first, in_register)) ++same;
    if (same < reg) {
      operation.copies.emplace_back(same, reg);
    } else if (are_together(fragment, first, in_register, operation.form->by_columns)) {
      operation.pieces.push_back({first, in_register});
    } else {
      for (std::uint32_t i = 0; i < in_register; ++i) operation.pieces.push_back({first + i, 1});
    }
  }
}

}  // namespace

void FunctionEmitter::emit_matrix(const ir::Operation& operation, MicroOp& op) {
  const MatrixForm& form = *operation.matrix;
  MatrixOperation made{.form = operation.matrix, .offset = operation.memory.offset};
  auto next = operation.uses.begin();
  const auto take = [&](std::vector<std::uint32_t>& rows, const tensor::Fragment& fragment) {
    for (std::uint32_t i = 0; i < fragment.registers(); ++i) rows.push_back(offset(*next++));
  };
  for (const std::uint32_t reg : operation.defs) made.d.push_back(offset(reg));
  if (form.action == MatrixAction::store) {
    take(made.d, form.d);
  } else if (form.action == MatrixAction::store_rows) {
    for (std::uint32_t i = 0; i < form.matrices; ++i) made.d.push_back(offset(*next++));
  } else {
    take(made.a, form.a);
    take(made.b, form.b);
    take(made.c, form.c);
  }
  const bool rows = form.action == MatrixAction::load_rows || form.action == MatrixAction::store_rows;
  if (form.action == MatrixAction::load || form.action == MatrixAction::store || rows) {
    const bool stores = form.action == MatrixAction::store || form.action == MatrixAction::store_rows;
    made.memory =
        describe(operation, stores ? AccessKind::store : AccessKind::load, operation.memory.space, 16, ir::Type::b32);
    made.address = offset(*next++);
    if (!rows) plan_access(made);
    const bool has_stride = std::distance(next, operation.uses.end()) == 2;
    made.stride = has_stride ? offset(*next++) : constant(form.stride, 4);
  }
  const WarpHandler handler = matrix_handler();
  op.run = handler.run;
  op.together = handler.together;
  op.immediate = offset(operation.uses.back());
  op.extra = static_cast<std::uint32_t>(kernel_.matrices.size());
  op.target = segment(operation.targets[0]);
  kernel_.matrices.push_back(std::move(made));
}

}  // namespace cudalabs::vgpu::exec
