// Integers as PTX has them: a bit pattern and a width.
#pragma once

#include <cstdint>

#include "vgpu/ptx/module.h"

namespace cudalabs::reference {

using vgpu::ptx::Type;

inline unsigned width_of(Type type) {
  return 8 * vgpu::ptx::size_in_bytes(type);
}

inline std::uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

inline std::uint64_t truncate(std::uint64_t bits, unsigned width) {
  return bits & mask_of(width);
}

inline std::int64_t sign_extend(std::uint64_t bits, unsigned width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>((truncate(bits, width) ^ sign) - sign);
}

inline bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

inline bool is_float(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2:
    case Type::f32:
    case Type::f64:
      return true;
    default:
      return false;
  }
}

}  // namespace cudalabs::reference
