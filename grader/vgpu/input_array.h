// An array in device memory that the program under test may only read, as its caller declared it.
#pragma once

#include <cstdint>
#include <string>

namespace cudalabs::vgpu {

struct InputArray {
  std::uint64_t address = 0;  // device address
  std::uint64_t bytes = 0;
  std::uint32_t element_bytes = 1;
  std::string name;

  /// [at, at + count) has a byte of it.
  bool meets(std::uint64_t at, std::uint64_t count) const { return at < address + bytes && address < at + count; }
  /// The element that byte `at` belongs to, as in the source: "a[37]". The first one for a byte before it.
  std::string element(std::uint64_t at) const {
    return name + "[" + std::to_string(at < address ? 0 : (at - address) / element_bytes) + "]";
  }
};

}  // namespace cudalabs::vgpu
