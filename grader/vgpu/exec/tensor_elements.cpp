// Held to an H200, but for the rounding up of numbers in the middle of two others.
#include "vgpu/exec/tensor_elements.h"

#include <cstdint>
#include <cstring>

#include "vgpu/exec/bulk_reduction.h"
#include "vgpu/exec/handlers/float_bits.h"

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
    case TensorType::f32_ftz:
    case TensorType::tf32:
    case TensorType::tf32_ftz:
      return ptx::Type::f32;
    case TensorType::f64:
      return ptx::Type::f64;
  }
  return ptx::Type::none;
}

bool is_flushed(TensorType type) {
  return type == TensorType::f32_ftz || type == TensorType::tf32_ftz;
}

/// To the nearest number with 10 bits behind the point, to the even one in the middle. Subnormal numbers are rounded
/// like others, and those near the largest one to infinity: the bits are a number of which the lower ones are dropped.
std::uint32_t rounded_to_tf32(std::uint32_t bits) {
  constexpr std::uint32_t kDropped = 13, kInfinity = 0x7F80'0000, kNan = 0x7FFF'E000;
  if ((bits & ~kSignBit<float>) > kInfinity) return kNan;
  const std::uint32_t odd = bits >> kDropped & 1, below_half = (1u << (kDropped - 1)) - 1;
  return (bits + below_half + odd) >> kDropped << kDropped;
}

void flush(std::byte* element) {
  float value = 0;
  std::memcpy(&value, element, sizeof value);
  value = flushed(value);
  std::memcpy(element, &value, sizeof value);
}

}  // namespace

void round_elements(std::span<std::byte> elements) {
  std::uint32_t bits = 0;
  for (std::size_t at = 0; at + sizeof bits <= elements.size(); at += sizeof bits) {
    std::memcpy(&bits, &elements[at], sizeof bits);
    bits = rounded_to_tf32(bits);
    std::memcpy(&elements[at], &bits, sizeof bits);
  }
}

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
  if (!is_flushed(type)) return reduce_element(operation, numbers_of(type), target, value);
  std::byte flushed_value[sizeof(float)];
  std::memcpy(flushed_value, value, sizeof flushed_value);
  flush(flushed_value);
  flush(target);
  reduce_element(operation, ptx::Type::f32, target, flushed_value);
  flush(target);
}

}  // namespace cudalabs::vgpu::exec
