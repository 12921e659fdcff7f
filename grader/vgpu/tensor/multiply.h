// What tensor cores compute: D = A * B + C, with the sums and roundings of an H100. Pure functions, which know no
// registers and no memory.
//
// The PTX ISA leaves the accuracy of the sums of f16, bf16 and tf32 open. What is here was found by experiment and is
// held to an H100's answers bit for bit: grader/tests/vgpu_mma.
#pragma once

#include <cstdint>

#include "vgpu/tensor/element.h"
#include "vgpu/tensor/fragment.h"

namespace cudalabs::vgpu::tensor {

struct Product {
  Shape shape;
  Element a = Element::f16, b = Element::f16, c = Element::f32, d = Element::f32;
  bool saturates = false;  // integers: D stays at the ends of its range
};

/// Matrices by rows, an element's bits in each number; `d` may be `c`. The combination of types is one that PTX has.
void multiply(const Product& product, const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c,
              std::uint64_t* d);

}  // namespace cudalabs::vgpu::tensor
