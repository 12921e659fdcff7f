// A small piece of a submission that can be found again in another one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cudalabs::similar {

/// `hash` says what it is, whatever its names, comments and place; the rest says where it is.
struct Feature {
  std::uint64_t hash = 0;
  std::uint32_t first_line = 0, last_line = 0;  // of the source, from 1; 0: unknown
  std::uint32_t unit = 0;                       // token or instruction at which it begins, from 0
};

using Features = std::vector<Feature>;

/// A well-mixed hash of two; the order counts.
constexpr std::uint64_t mixed(std::uint64_t one, std::uint64_t other) {
  std::uint64_t x = one * 0x9e3779b97f4a7c15ull + other + 0x632be59bd9b4e019ull;
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// A hash of a text, never that of another text's first part.
constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size() + 1;
  for (const char c : text) hash = mixed(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace cudalabs::similar
