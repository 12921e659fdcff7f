#include "text/enumeration.h"

#include <vector>

namespace cudalabs {

std::string enumeration(std::span<const std::string> items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

std::string enumeration_of_names(std::span<const std::string> names) {
  std::vector<std::string> quoted;
  quoted.reserve(names.size());
  for (const std::string& name : names) quoted.push_back("`" + name + "`");
  return enumeration(quoted);
}

std::string enumeration_of_lines(std::span<const std::uint32_t> lines) {
  std::vector<std::string> numbers;
  numbers.reserve(lines.size());
  for (const std::uint32_t line : lines) numbers.push_back(std::to_string(line));
  return (lines.size() == 1 ? "line " : "lines ") + enumeration(numbers);
}

}  // namespace cudalabs
