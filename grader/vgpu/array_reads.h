// How often kernels read each element of an input, and who does.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// One thread that reads an element, and where.
struct ElementReader {
  std::uint32_t launch = 0;  // from 1 on
  Index3 block{}, thread{};
  std::uint32_t place = 0;  // among those of the array

  bool operator==(const ElementReader&) const = default;
};
static_assert(std::is_trivially_copyable_v<ElementReader>);

/// Of an input that the caller declared. Each load of each thread counts once for each element that it has bytes of.
struct ArrayReads {
  static constexpr std::uint64_t kMostElements = 1 << 18;  // of all arrays; what goes beyond is not looked at

  std::string array;
  std::vector<SourcePlace> places;         // of instructions
  std::vector<std::uint32_t> counts;       // by element
  std::vector<ElementReader> first, last;  // by element: in the order of launches, blocks and threads; where count > 0

  bool operator==(const ArrayReads&) const = default;
};

}  // namespace cudalabs::vgpu
