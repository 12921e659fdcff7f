// Cuts a marked region out of a source file.
#include <algorithm>
#include <sstream>

#include "deck/deck.h"

namespace cudalabs::deck {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

constexpr std::string_view kBegin = "// snippet: ";
constexpr std::string_view kEnd = "// end snippet";

}  // namespace

std::string region(std::string_view source, std::string_view name) {
  std::vector<std::string> lines;
  std::size_t depth = 0;  // open regions from ours inwards; 0 while outside
  bool found = false;
  std::istringstream stream{std::string(source)};
  for (std::string line; std::getline(stream, line);) {
    const std::string_view text = trimmed(line);
    if (text.starts_with(kBegin)) {
      if (depth > 0) {
        ++depth;
      } else if (text.substr(kBegin.size()) == name) {
        if (found) throw std::runtime_error("snippet `" + std::string(name) + "` is there twice");
        found = true;
        depth = 1;
      }
    } else if (text == kEnd) {
      if (depth > 0) --depth;
    } else if (depth > 0) {
      lines.push_back(line);
    }
  }
  if (!found) throw std::runtime_error("no snippet `" + std::string(name) + "`");
  if (depth > 0) throw std::runtime_error("snippet `" + std::string(name) + "` has no `// end snippet`");
  std::size_t common = std::string::npos;
  for (const std::string& line : lines) {
    if (!trimmed(line).empty()) common = std::min(common, indentation(line));
  }
  if (common == std::string::npos) throw std::runtime_error("snippet `" + std::string(name) + "` is empty");
  std::string result;
  for (const std::string& line : lines) {
    result += trimmed(line).empty() ? std::string() : line.substr(common);
    result += '\n';
  }
  return result;
}

}  // namespace cudalabs::deck
