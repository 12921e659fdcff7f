// What an instruction on matrices is, apart from its registers: `mma`, `wmma`, `ldmatrix`, `stmatrix`,
// `movmatrix`.
#pragma once

#include <cstdint>

#include "vgpu/tensor/fragment.h"
#include "vgpu/tensor/multiply.h"

namespace cudalabs::vgpu::exec {

enum class MatrixAction : std::uint8_t {
  multiply,
  load,        // wmma.load: a fragment from memory
  store,       // wmma.store
  load_rows,   // ldmatrix: each lane names a row of 16 bytes
  store_rows,  // stmatrix: likewise
  transpose    // movmatrix
};

struct MatrixForm {
  MatrixAction action = MatrixAction::multiply;
  tensor::Product product{};            // multiply
  tensor::Fragment a{}, b{}, c{}, d{};  // multiply; load and store have `d` alone
  bool by_columns = false;              // load, store: how the matrix lies in memory
  std::uint32_t stride = 0;             // load, store: in elements, where no operand says it
  std::uint32_t matrices = 1;           // load_rows, store_rows: of 8 rows
};

}  // namespace cudalabs::vgpu::exec
