#include "source/overlapping_arrays.h"

#include <algorithm>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "tile" of "tile[y][x] = ...", which begins the line; empty elsewhere.
std::string stored_array(std::string_view line) {
  const std::size_t begin = past_spaces(line, 0), end = end_of_word(line, begin);
  std::size_t at = past_spaces(line, end);
  if (end == begin || at >= line.size() || line[at] != '[') return {};
  while (at < line.size() && line[at] == '[') at = past_spaces(line, past_bracket(line, at));
  const std::string_view rest = line.substr(std::min(at, line.size()));
  return rest.starts_with('=') && !rest.starts_with("==") ? std::string(line.substr(begin, end - begin))
                                                          : std::string();
}

/// "first + w" of "float* second = first + w;"
std::string_view value_set(std::string_view line, std::string_view name) {
  std::string_view value;
  for_each_name(line, [&](std::size_t at, std::string_view found) {
    const std::size_t sign = past_spaces(line, at + found.size());
    if (found != name || !value.empty() || sign >= line.size() || line[sign] != '=') return;
    value = line.substr(past_spaces(line, sign + 1));
    value = value.substr(0, value.find_first_of(",;"));
  });
  return value;
}

/// The value is a place inside the array: "first + w", "&first[w]".
bool is_inside(std::string_view value, std::string_view array) {
  const bool address = value.starts_with('&');
  const std::size_t begin = past_spaces(value, address ? 1 : 0), end = end_of_word(value, begin);
  if (value.substr(begin, end - begin) != array) return false;
  const std::string_view rest = value.substr(past_spaces(value, end));
  return rest.starts_with(address ? '[' : '+');
}

}  // namespace

std::optional<OverlappingArrays> overlapping_arrays(std::string_view source, std::uint32_t line,
                                                    std::uint32_t other_line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || other_line == 0 || std::max(line, other_line) > lines.size()) return std::nullopt;
  const std::string names[] = {stored_array(lines[line - 1]), stored_array(lines[other_line - 1])};
  if (names[0].empty() || names[1].empty() || names[0] == names[1]) return std::nullopt;
  for (const auto& [first, second] : {std::pair(names[0], names[1]), std::pair(names[1], names[0])}) {
    const auto set = only_setting_of(source, second);
    if (!set) continue;
    const std::string_view value = value_set(lines[set->line - 1], second);
    const auto alias = only_setting_of(source, first);
    const std::string_view base = alias ? value_set(lines[alias->line - 1], first) : std::string_view();
    const bool is_name = !base.empty() && end_of_word(base, 0) == base.size();
    if (is_inside(value, first) || (is_name && is_inside(value, base))) return OverlappingArrays{first, second, *set};
  }
  return std::nullopt;
}

}  // namespace cudalabs
