// Which elements of a matrix each lane of a warp holds (PTX ISA, "Matrix Fragments").
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/tensor/element.h"

namespace cudalabs::vgpu::tensor {

/// D (m x n) = A (m x k) * B (k x n) + C (m x n).
struct Shape {
  std::uint32_t m = 0, n = 0, k = 0;
  bool operator==(const Shape&) const = default;
};

enum class Operand : std::uint8_t { a, b, c };  // D lies as C does

struct Position {
  std::uint32_t row = 0, column = 0;
  bool operator==(const Position&) const = default;
};

struct Fragment {
  Element element = Element::f32;
  std::uint32_t rows = 0, columns = 0;  // of the matrix
  std::uint32_t per_lane = 0;           // elements
  std::vector<Position> positions{};    // of element i of a lane: [lane * per_lane + i]

  const Position& at(std::uint32_t lane, std::uint32_t i) const { return positions[lane * per_lane + i]; }
  /// Registers are of 32 bits, or of 64 for an element that needs them.
  std::uint32_t register_bytes() const { return bits_of(element) == 64 ? 8 : 4; }
  std::uint32_t registers() const { return per_lane * bits_of(element) / 8 / register_bytes(); }
};

/// As the PTX ISA has it for `mma`. `shape` is one that the elements' type has.
Fragment mma_fragment(Operand operand, const Shape& shape, Element element);

/// For `wmma` the ISA leaves it open; this is what an H100 does. In A and B of f16 each element is there more than
/// once.
Fragment wmma_fragment(Operand operand, const Shape& shape, Element element);

/// Of 8 rows of 8 elements of 16 bits, as `ldmatrix` and `movmatrix` give them: a register a matrix.
Fragment matrix_of_8x8(bool transposed);

}  // namespace cudalabs::vgpu::tensor
