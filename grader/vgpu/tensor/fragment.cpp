// Which elements of a matrix each lane of a warp holds.
//
// All layouts are of one kind: each bit of the lane's number and of the element's number moves the position by a power
// of two rows or columns. A layout is a list of these moves, the lowest bit first.
#include "vgpu/tensor/fragment.h"

#include <cstddef>

namespace cudalabs::vgpu::tensor {

namespace {

constexpr std::uint32_t kLanes = 32;

struct Moves {
  std::vector<Position> lane, element;
};

Position rows(std::uint32_t n) {
  return {n, 0};
}
Position columns(std::uint32_t n) {
  return {0, n};
}

Position position(const Moves& moves, std::uint32_t lane, std::uint32_t element) {
  Position at;
  const auto add = [&at](const std::vector<Position>& steps, std::uint32_t number) {
    for (std::size_t bit = 0; bit < steps.size(); ++bit) {
      if ((number >> bit & 1) == 0) continue;
      at.row += steps[bit].row;
      at.column += steps[bit].column;
    }
  };
  add(moves.lane, lane);
  add(moves.element, element);
  return at;
}

Fragment fragment(Element element, std::uint32_t row_count, std::uint32_t column_count, const Moves& moves) {
  Fragment made{.element = element, .rows = row_count, .columns = column_count, .per_lane = 1u << moves.element.size()};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint32_t i = 0; i < made.per_lane; ++i) made.positions.push_back(position(moves, lane, i));
  }
  return made;
}

Moves transposed(Moves moves) {
  for (std::vector<Position>* steps : {&moves.lane, &moves.element}) {
    for (Position& step : *steps) step = {step.column, step.row};
  }
  return moves;
}

/// A matrix of `height` rows and `depth` columns that is multiplied along its rows: four lanes share a row, each has
/// the elements of a 32-bit word, then those eight rows below, then those of the next words.
Moves along_rows(std::uint32_t height, std::uint32_t depth, std::uint32_t bits) {
  const std::uint32_t in_word = bits >= 32 ? 1 : 32 / bits;
  Moves moves{{columns(in_word), columns(2 * in_word), rows(1), rows(2), rows(4)}, {}};
  for (std::uint32_t step = 1; step < in_word; step *= 2) moves.element.push_back(columns(step));
  if (height >= 16) moves.element.push_back(rows(8));
  for (std::uint32_t step = 4 * in_word; step < depth; step *= 2) moves.element.push_back(columns(step));
  if (height == 32) moves.element.push_back(rows(16));
  return moves;
}

Moves of_sums(std::uint32_t height, std::uint32_t width) {
  Moves moves{{columns(2), columns(4), rows(1), rows(2), rows(4)}, {columns(1)}};
  for (std::uint32_t step = 8; step < height; step *= 2) moves.element.push_back(rows(step));
  for (std::uint32_t step = 8; step < width; step *= 2) moves.element.push_back(columns(step));
  return moves;
}

Fragment with_moves(Operand operand, const Shape& shape, Element element, const Moves& moves) {
  switch (operand) {
    case Operand::a:
      return fragment(element, shape.m, shape.k, moves);
    case Operand::b:
      return fragment(element, shape.k, shape.n, moves);
    case Operand::c:
      return fragment(element, shape.m, shape.n, moves);
  }
  return {};
}

}  // namespace

Fragment mma_fragment(Operand operand, const Shape& shape, Element element) {
  switch (operand) {
    case Operand::a:
      return with_moves(operand, shape, element, along_rows(shape.m, shape.k, bits_of(element)));
    case Operand::b:
      return with_moves(operand, shape, element, transposed(along_rows(shape.n, shape.k, bits_of(element))));
    case Operand::c:
      return with_moves(operand, shape, element, of_sums(shape.m, shape.n));
  }
  return {};
}

Fragment wmma_fragment(Operand operand, const Shape& shape, Element element) {
  // Where there are but eight rows, the transposed matrices are multiplied.
  const bool turned = shape.m == 8 && shape.n == 32;
  Moves moves;
  switch (operand) {
    case Operand::a:
      moves = along_rows(shape.m, shape.k, bits_of(element));
      break;
    case Operand::b: {
      // The halves of 16 columns lie one behind the other.
      moves = along_rows(turned ? shape.n : 8, shape.k, bits_of(element));
      if (shape.n == 16) moves.element.push_back(rows(8));
      moves = transposed(moves);
      break;
    }
    case Operand::c:
      moves = turned ? transposed(of_sums(shape.n, shape.m)) : of_sums(shape.m, shape.n);
      break;
  }
  // Enough room for the tensor cores of compute capability 7.0, which want each element twice or more often.
  if (element == Element::f16 && operand != Operand::c) {
    while (moves.element.size() < 4) moves.element.emplace_back();
  }
  return with_moves(operand, shape, element, moves);
}

Fragment matrix_of_8x8(bool turned) {
  const Moves moves{{columns(2), columns(4), rows(1), rows(2), rows(4)}, {columns(1)}};
  return fragment(Element::b16, 8, 8, turned ? transposed(moves) : moves);
}

}  // namespace cudalabs::vgpu::tensor
