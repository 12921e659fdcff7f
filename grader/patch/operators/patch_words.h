// The words for what a program is with after a change.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "patch/patch.h"

namespace cudalabs::patch {

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
