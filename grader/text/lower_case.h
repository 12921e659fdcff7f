// ASCII letters in lower case: ids, names and headings are the same however they are written.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace cudalabs {

constexpr char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

inline std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char letter) { return lower(letter); });
  return result;
}

}  // namespace cudalabs
