// Reductions are held to an H200. Which NaN it takes is not.
#include "vgpu/exec/tensor_elements.h"

#include <cstdint>
#include <cstring>

#include "vgpu/exec/bulk_reduction.h"

namespace cudalabs::vgpu::exec {

namespace {

/// The type whose numbers they are.
ptx::Type numbers_of(TensorType type) {
  switch (type) {
    case TensorType::u8:
      return ptx::Type::u8;
    case TensorType::u16:
      return ptx::Type::u16;
    case TensorType::u32:
      return ptx::Type::u32;
    case TensorType::s32:
      return ptx::Type::s32;
    case TensorType::u64:
      return ptx::Type::u64;
    case TensorType::s64:
      return ptx::Type::s64;
    case TensorType::f16:
      return ptx::Type::f16;
    case TensorType::bf16:
      return ptx::Type::bf16;
    case TensorType::f32:
      return ptx::Type::f32;
    case TensorType::f64:
      return ptx::Type::f64;
  }
  return ptx::Type::none;
}

}  // namespace

void fill_with_nan(TensorType type, std::span<std::byte> elements) {
  const std::uint32_t size = bytes_of(type);
  constexpr std::uint64_t kNan = 0x7FF7'7FF7'7FF7'7FF7;  // the beginning of it for smaller types, as on an H200
  const std::uint64_t nan = kNan >> (64 - 8 * size);
  for (std::size_t at = 0; at + size <= elements.size(); at += size) std::memcpy(&elements[at], &nan, size);
}

bool is_reduced(AtomicOperation operation, TensorType type) {
  const bool is_integer = type >= TensorType::u32 && type <= TensorType::s64;
  switch (operation) {
    case AtomicOperation::add:
      return is_floating(type) || (is_integer && type != TensorType::s64);
    case AtomicOperation::min:
    case AtomicOperation::max:
      return is_integer || type == TensorType::f16 || type == TensorType::bf16;
    case AtomicOperation::increment:
    case AtomicOperation::decrement:
      return type == TensorType::u32;
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
    case AtomicOperation::bit_xor:
      return is_integer && type != TensorType::s64;
    default:
      return false;
  }
}

void reduce_element(AtomicOperation operation, TensorType type, std::byte* target, const std::byte* value) {
  reduce_element(operation, numbers_of(type), target, value);
}

}  // namespace cudalabs::vgpu::exec
