// Casts are found in the text of the kernel.
#include "explain/accesses/wide_pointer.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "source/vector_type.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "pixels" of "pixels[i]", "*pixels" and "pixels->x".
std::set<std::string_view> read_through(std::string_view line) {
  std::set<std::string_view> names;
  for_each_name(line, [&](std::size_t at, std::string_view name) {
    const std::string_view rest = line.substr(past_spaces(line, at + name.size()));
    const std::size_t last = before_spaces(line, at);
    const bool pointed = last != std::string_view::npos && line[last] == '*' && word_before(line, last).empty();
    if (rest.starts_with('[') || rest.starts_with("->") || pointed) names.insert(name);
  });
  return names;
}

}  // namespace

std::string_view vector_of_cast(std::string_view value) {
  std::string_view type;
  for_each_name(value, [&](std::size_t at, std::string_view name) {
    const std::size_t star = past_spaces(value, at + name.size());
    const std::size_t close = star < value.size() && value[star] == '*' ? past_spaces(value, star + 1) : value.size();
    const bool closes = close < value.size() && (value[close] == '>' || value[close] == ')');
    if (type.empty() && closes && elements_of_vector(name) > 1) type = name;
  });
  return type;
}

std::optional<WidePointer> wide_pointer_in(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::set<std::string_view> names = read_through(lines[line - 1]);
  const std::uint32_t before = end_of_function_before(lines, line);
  for (std::size_t i = line - 1; i-- > before;) {
    std::optional<WidePointer> found;
    for_each_name(lines[i], [&](std::size_t at, std::string_view name) {
      const std::string_view rest = lines[i].substr(past_spaces(lines[i], at + name.size()));
      if (found || !names.contains(name) || !rest.starts_with('=') || rest.starts_with("==")) return;
      const std::string_view type = vector_of_cast(rest.substr(0, rest.find(';')));
      if (type.empty()) return;
      found = {{{std::string(name)}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1},
               std::string(type),
               bytes_of_vector(type)};
    });
    if (found) return found;
  }
  return std::nullopt;
}

void show_wide_pointer(MergedFinding& finding, std::string_view source) {
  const bool past_end = finding.id == finding_ids::kGlobalOutOfBounds && finding.access.past_end_of != 0;
  const auto pointer = past_end && !finding.other ? wide_pointer_in(source, finding.where.line) : std::nullopt;
  if (!pointer) return;
  const std::string& name = pointer->where.names.front();
  const std::string array = finding.access.array.empty() ? "the array" : fmt::format("`{}`", finding.access.array);
  finding.other =
      OtherPlace{fmt::format("a `{}` has {} bytes: {} has only {} of them", pointer->type, pointer->bytes, array,
                             finding.access.past_end_of / static_cast<std::uint64_t>(pointer->bytes)),
                 {finding.where.file, pointer->where.line, pointer->where.column},
                 {},
                 {}};
  finding.help = fmt::format(
      "`{0}[i]` begins {1} * i bytes after the start: cast only an array that is made of groups of {1} bytes, and keep "
      "i below their number; else read the elements one by one",
      name, pointer->bytes);
}

}  // namespace cudalabs
