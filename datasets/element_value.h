// One element of an array, whatever its type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// The value of the element whose bytes begin at `at`, which need not be aligned.
inline double element_value(ElementType type, const std::byte* at) {
  const auto read = [at]<typename T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  };
  switch (type) {
    case ElementType::f32:
      return read(0.0f);
    case ElementType::f64:
      return read(0.0);
    case ElementType::i32:
      return read(std::int32_t{0});
    case ElementType::u8:
      return read(std::uint8_t{0});
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace cudalabs::datasets
