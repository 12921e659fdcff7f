// What the host finds in unified memory that nothing has written yet.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

/// The word of four bytes at `address`, a multiple of 4: not a number as a float, and as the upper half of a double,
/// and another one at every address. So what a program writes there hardly ever equals it, and a word that has changed
/// was written. It is none of those that programs like to write: no canonical NaN, and not the largest int.
constexpr std::uint32_t unwritten_word(std::uint64_t address) {
  const std::uint64_t mixed = (address >> 2) * 0x9e37'79b9'7f4a'7c15;
  return 0x7ff8'0000 | (1 + static_cast<std::uint32_t>(mixed >> 32) % 0x7'fffe);
}

}  // namespace cudalabs::vgpu
