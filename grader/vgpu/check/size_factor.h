// How many times too small an allocation is: the size of an element as factor tells of a `sizeof` that was forgotten.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace cudalabs::vgpu {

struct SizeFactor {
  std::uint64_t times = 0;  // 2, 4, 8 or 16
  bool exact = false;
};

/// How many times as many bytes were needed as were allocated, where that is about the size of an element.
constexpr std::optional<SizeFactor> size_factor(std::uint64_t allocated, std::uint64_t needed) {
  constexpr std::uint64_t kMost = 16, kLargest = std::uint64_t{1} << 48;  // beyond which there is no memory
  if (allocated == 0 || allocated > kLargest || needed > kLargest) return std::nullopt;
  const std::uint64_t times = (needed + allocated / 2) / allocated;
  if (times < 2 || times > kMost || !std::has_single_bit(times)) return std::nullopt;
  const std::uint64_t exact = times * allocated, off = needed < exact ? exact - needed : needed - exact;
  if (off * 16 > needed) return std::nullopt;
  return SizeFactor{times, off == 0};
}

}  // namespace cudalabs::vgpu
