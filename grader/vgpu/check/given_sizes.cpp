#include "vgpu/check/given_sizes.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cudalabs::vgpu {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 31;  // what is larger is a pointer
constexpr std::size_t kMostNumbers = 32;

/// Whole numbers; of 8 bytes of a structure both what they are as one, and as two.
std::vector<std::uint64_t> numbers_of(std::span<const GivenValue> given) {
  std::vector<std::uint64_t> numbers;
  const auto add = [&](std::uint64_t number) {
    if (number > 0 && number < kLargest && numbers.size() < kMostNumbers) numbers.push_back(number);
  };
  for (const GivenValue& each : given) {
    add(each.value);
    if (!each.part) continue;
    add(each.value & 0xFFFF'FFFFu);
    add(each.value >> 32);
  }
  return numbers;
}

/// Bytes of what the sizes may count: an element, of a vector's access one of its floats, and of an image its pixels.
std::vector<std::uint64_t> element_sizes(const NamedRange& range, std::uint32_t access_bytes) {
  constexpr std::uint64_t kFloat = 4;
  std::vector<std::uint64_t> sizes{access_bytes};
  if (access_bytes > kFloat) sizes.push_back(kFloat);
  if (range.type && range.type->extents.size() == 3) sizes.push_back(access_bytes * range.type->extents[2]);
  return sizes;
}

bool is_one_or_product(std::uint64_t elements, std::span<const std::uint64_t> numbers) {
  return std::ranges::any_of(numbers, [&](std::uint64_t number) {
    return number == elements ||
           std::ranges::any_of(numbers, [&](std::uint64_t other) { return number * other == elements; });
  });
}

}  // namespace

bool has_given_size(const NamedRange& range, std::uint32_t access_bytes, std::span<const GivenValue> given) {
  const std::vector<std::uint64_t> numbers = numbers_of(given);
  return std::ranges::any_of(element_sizes(range, access_bytes), [&](std::uint64_t size) {
    return size != 0 && range.bytes != 0 && range.bytes % size == 0 && is_one_or_product(range.bytes / size, numbers);
  });
}

std::uint32_t argument_of_half(std::uint64_t elements, std::span<const GivenValue> given) {
  constexpr std::uint64_t kUpper = 0xFFFF'FFFFu;
  std::uint32_t found = 0;
  for (const GivenValue& value : given) {
    const std::uint64_t upper = value.value >> 32, lower = value.value & kUpper;
    const bool half = !value.part && value.bytes == sizeof(std::uint64_t) && upper != 0 && upper != kUpper;
    if (!half || lower != elements || elements == 0) continue;
    if (found != 0) return 0;
    found = value.number;
  }
  return found;
}

bool is_given_count(std::uint64_t elements, std::span<const GivenValue> given) {
  return is_one_or_product(elements, numbers_of(given));
}

}  // namespace cudalabs::vgpu
