// An array in device memory that the program under test may only read, as its caller declared it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/ptx/data_type.h"

namespace cudalabs::vgpu {

struct InputArray {
  std::uint64_t address = 0;  // device address
  std::uint64_t bytes = 0;
  std::uint32_t element_bytes = 1;
  std::string name;
  std::vector<std::uint64_t> extents = {};  // outermost first; empty: one, as many elements as there are

  /// [at, at + count) has a byte of it.
  bool meets(std::uint64_t at, std::uint64_t count) const { return at < address + bytes && address < at + count; }
  ptx::DataType type() const {
    const std::uint64_t elements = bytes / element_bytes;
    return ptx::array_of_scalars(element_bytes, extents.empty() ? std::vector{elements} : extents);
  }
  /// The element that byte `at` belongs to: "a[37]", or "a[3][5]". The first one for a byte before it.
  std::string element(std::uint64_t at) const {
    return name + ptx::element_at(type(), at < address ? 0 : at - address, element_bytes).path;
  }
};

}  // namespace cudalabs::vgpu
