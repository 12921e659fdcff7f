// ASCII letters in lower case: ids, endings and headings are the same however they are written.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace cudalabs::course {

inline std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

}  // namespace cudalabs::course
