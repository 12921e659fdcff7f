// What the elements of matrices are that tensor cores multiply.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudalabs::vgpu::tensor {

/// In registers and in memory tf32 is 32 bits wide; the low 13 of them mean nothing.
enum class Element : std::uint8_t { f16, bf16, tf32, f32, f64, s8, u8, s32, b16 };

constexpr std::uint32_t bits_of(Element element) {
  switch (element) {
    case Element::s8:
    case Element::u8:
      return 8;
    case Element::f16:
    case Element::bf16:
    case Element::b16:
      return 16;
    case Element::f64:
      return 64;
    case Element::tf32:
    case Element::f32:
    case Element::s32:
      return 32;
  }
  return 32;
}

/// By the name of the type in PTX.
constexpr std::optional<Element> element_called(std::string_view name) {
  if (name == "f16") return Element::f16;
  if (name == "bf16") return Element::bf16;
  if (name == "tf32") return Element::tf32;
  if (name == "f32") return Element::f32;
  if (name == "f64") return Element::f64;
  if (name == "s8") return Element::s8;
  if (name == "u8") return Element::u8;
  if (name == "s32") return Element::s32;
  return std::nullopt;
}

}  // namespace cudalabs::vgpu::tensor
