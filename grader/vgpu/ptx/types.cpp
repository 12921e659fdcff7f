// Names and sizes of PTX types, and the parser's error.
#include <array>
#include <utility>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {
namespace {

struct TypeFacts {
  std::string_view name;
  Type type;
  std::uint32_t bytes;
};

// In the order of the enumeration, which name_of() and size_in_bytes() index by.
constexpr std::array<TypeFacts, 21> kTypes{{
    {"none", Type::none, 0},   {"pred", Type::pred, 1}, {"b8", Type::b8, 1},         {"b16", Type::b16, 2},
    {"b32", Type::b32, 4},     {"b64", Type::b64, 8},   {"b128", Type::b128, 16},    {"u8", Type::u8, 1},
    {"u16", Type::u16, 2},     {"u32", Type::u32, 4},   {"u64", Type::u64, 8},       {"s8", Type::s8, 1},
    {"s16", Type::s16, 2},     {"s32", Type::s32, 4},   {"s64", Type::s64, 8},       {"f16", Type::f16, 2},
    {"f16x2", Type::f16x2, 4}, {"bf16", Type::bf16, 2}, {"bf16x2", Type::bf16x2, 4}, {"f32", Type::f32, 4},
    {"f64", Type::f64, 8},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (static_cast<std::size_t>(kTypes[i].type) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

std::uint32_t size_in_bytes(Type type) {
  return kTypes[static_cast<std::size_t>(type)].bytes;
}

std::string_view name_of(Type type) {
  return kTypes[static_cast<std::size_t>(type)].name;
}

bool is_untyped(Type type) {
  switch (type) {
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::b128:
      return true;
    default:
      return false;
  }
}

std::optional<Type> type_from_name(std::string_view name) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.type != Type::none && facts.name == name) return facts.type;
  }
  return std::nullopt;
}

ParseError::ParseError(std::uint32_t line, const std::string& message)
    : std::runtime_error("PTX line " + std::to_string(line) + ": " + message), line_(line), message_(message) {}

}  // namespace cudalabs::vgpu::ptx
