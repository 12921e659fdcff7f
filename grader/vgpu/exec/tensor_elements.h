// What copies of tensors make of elements.
#pragma once

#include <cstddef>
#include <span>

#include "vgpu/exec/atomic_operation.h"
#include "vgpu/memory/tensor_map.h"

namespace cudalabs::vgpu::exec {

/// Whether loads change numbers of this type.
constexpr bool is_rounded(TensorType type) {
  return type == TensorType::tf32 || type == TensorType::tf32_ftz;
}
/// What a load makes of such numbers.
void round_elements(std::span<std::byte> elements);
/// What a load finds outside of a tensor that was encoded so.
void fill_with_nan(TensorType type, std::span<std::byte> elements);
/// Whether an H200 reduces elements of this type so.
bool is_reduced(AtomicOperation operation, TensorType type);
/// Changes the element at `target` by the one at `value`.
void reduce_element(AtomicOperation operation, TensorType type, std::byte* target, const std::byte* value);

}  // namespace cudalabs::vgpu::exec
