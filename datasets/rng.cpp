// SplitMix64 and the few distributions the generators need, in integer and exactly rounded arithmetic only.
#include "datasets/rng.h"

namespace cudalabs::datasets {
namespace {

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// FNV-1a, 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

// Mixed twice: seeds 1, 2, 3 must not give streams that are shifted copies of each other.
Rng::Rng(std::uint64_t seed, std::string_view name) : state_(mix(mix(seed + 0x9e3779b97f4a7c15u) ^ hash(name))) {}

std::uint64_t Rng::next() {
  state_ += 0x9e3779b97f4a7c15u;
  return mix(state_);
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

double Rng::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

std::uint64_t Rng::below(std::uint64_t bound) {
  // The 2^64 mod bound smallest values would make some remainders likelier than others: draw again.
  const std::uint64_t skip = (0 - bound) % bound;
  std::uint64_t value = next();
  while (value < skip) value = next();
  return value % bound;
}

}  // namespace cudalabs::datasets
