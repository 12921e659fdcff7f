// The words for what a program is with after a change.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace cudalabs::patch {

/// As many letters of code the words have at most.
inline constexpr std::size_t kLongestCode = 40;

/// "`||` in place of `&&`".
inline std::string in_place_of(std::string_view now, std::string_view before) {
  return "`" + std::string(now) + "` in place of `" + std::string(before) + "`";
}

/// "`columns` and `rows` exchanged": in the same order wherever they are.
inline std::string exchanged(std::string_view left, std::string_view right) {
  if (right < left) std::swap(left, right);
  return "`" + std::string(left) + "` and `" + std::string(right) + "` exchanged";
}

}  // namespace cudalabs::patch
