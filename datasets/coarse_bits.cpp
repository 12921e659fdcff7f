// Values that give a computation away which drops part of their significand.
#include "datasets/coarse_bits.h"

#include <bit>
#include <cstdint>

namespace cudalabs::datasets {

float make_cut_visible(double value, Rng& rng) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  bits = (bits & ~0x1fffu) | static_cast<std::uint32_t>(0x0c00 + rng.below(0x0400));
  return std::bit_cast<float>(bits);
}

}  // namespace cudalabs::datasets
