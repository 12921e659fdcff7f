// Typed views of an Array's bytes, and Arrays from typed values.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// The ElementType whose values are `Value`s in memory; of no other type there is one.
template <typename Value>
extern const ElementType kElementType;
template <>
inline constexpr ElementType kElementType<float> = ElementType::f32;
template <>
inline constexpr ElementType kElementType<double> = ElementType::f64;
template <>
inline constexpr ElementType kElementType<std::int32_t> = ElementType::i32;
template <>
inline constexpr ElementType kElementType<std::uint8_t> = ElementType::u8;

/// The product of `shape`; 1 for an empty shape (a scalar). Throws std::invalid_argument when an extent is negative or
/// the product does not fit.
std::int64_t elements_of(std::span<const std::int64_t> shape);

/// An Array of `values` in row-major order. Throws std::invalid_argument when their number is not the shape's.
template <typename Value>
Array make_array(std::string name, std::vector<std::int64_t> shape, std::span<const Value> values) {
  if (elements_of(shape) != static_cast<std::int64_t>(values.size())) {
    throw std::invalid_argument("array `" + name + "`: the shape and the number of values differ");
  }
  const std::span<const std::byte> bytes = std::as_bytes(values);
  return {std::move(name), kElementType<Value>, std::move(shape), {bytes.begin(), bytes.end()}};
}

/// The values of `array`, copied. Throws std::invalid_argument when its type is another, or its data too short or long.
template <typename Value>
std::vector<Value> values_of(const Array& array) {
  const std::size_t count = static_cast<std::size_t>(elements_of(array.shape));
  if (array.type != kElementType<Value>) {
    throw std::invalid_argument("array `" + array.name + "` holds values of another type");
  }
  if (array.data.size() != count * sizeof(Value)) {
    throw std::invalid_argument("array `" + array.name + "`: the shape and the number of bytes differ");
  }
  std::vector<Value> values(count);
  if (count != 0) std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

}  // namespace cudalabs::datasets
