// Random numbers that are the same everywhere, and bit patterns that arithmetic finds interesting.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace cudalabs::reference {

/// SplitMix64: the standard library's distributions are not the same on every platform.
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// In [0, bound).
  std::uint64_t below(std::uint64_t bound) { return bits() % bound; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class Choice>
  const Choice& pick(const std::vector<Choice>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::uint64_t state_;
};

/// An integer: small, near a power of two, or any.
std::uint64_t interesting_integer(RandomSource& random);
/// A float of 16, 32 or 64 bits: zeros, subnormals, infinities, NaNs, numbers of ordinary size, any bits.
std::uint64_t interesting_float(RandomSource& random, unsigned width);

}  // namespace cudalabs::reference
