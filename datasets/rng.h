// Random numbers that are the same on every machine: std:: engines are portable, std:: distributions are not.
#pragma once

#include <cstdint>
#include <string_view>

namespace cudalabs::datasets {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): a counter behind
/// a mixing function, 2^64 values a period. Only for test data, never for secrets.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  /// The stream of `name` under `seed`: streams of different names share nothing one would notice.
  Rng(std::uint64_t seed, std::string_view name);

  std::uint64_t next();

  /// Even over [0, 1), a multiple of 2^-53.
  double uniform();

  /// Even over [low, high), up to the rounding of low + (high - low) * uniform().
  double uniform(double low, double high);

  /// Even over 0 … bound - 1, without the bias of a plain remainder; `bound` is at least 1.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t state_;
};

}  // namespace cudalabs::datasets
