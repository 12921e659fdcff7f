// Sizes of element types and arrays.
#include "datasets/dataset.h"

#include <limits>
#include <stdexcept>

#include "datasets/array.h"

namespace cudalabs::datasets {

std::size_t size_in_bytes(ElementType type) {
  switch (type) {
    case ElementType::f32:
    case ElementType::i32:
      return 4;
    case ElementType::f64:
      return 8;
    case ElementType::u8:
      return 1;
  }
  throw std::invalid_argument("unknown element type");
}

std::int64_t elements_of(std::span<const std::int64_t> shape) {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0) throw std::invalid_argument("an array's extent is negative");
    if (extent != 0 && product > std::numeric_limits<std::int64_t>::max() / extent) {
      throw std::invalid_argument("an array has too many elements");
    }
    product *= extent;
  }
  return product;
}

std::int64_t Array::elements() const {
  return elements_of(shape);
}
std::int64_t ExpectedArray::elements() const {
  return elements_of(shape);
}

std::int64_t Case::elements() const {
  std::int64_t elements = 0;
  for (const Array& input : inputs) elements += input.elements();
  for (const ExpectedArray& array : expected) elements += array.elements();
  return elements;
}

}  // namespace cudalabs::datasets
