// Parts of what a compiler says.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs::builder {

/// The text after the first `before`, up to the next `after`; nothing where that is empty, or is not there.
inline std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t start = text.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(start + before.size());
  const std::size_t end = rest.find(after);
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  return rest.substr(0, end);
}

inline bool says(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

inline bool says_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view each) { return says(text, each); });
}

inline std::string in_backticks(std::string_view name) {
  std::string text(1, '`');
  text.append(name).push_back('`');
  return text;
}

}  // namespace cudalabs::builder
