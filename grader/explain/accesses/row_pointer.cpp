// Names before brackets, and the lines that set them.
#include "explain/accesses/row_pointer.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "explain/places/set_here.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "float* name = base + row * width"
bool is_set_from_product(std::string_view line, std::size_t name, std::size_t end) {
  const std::size_t star = before_spaces(line, name), sign = past_spaces(line, end);
  const bool pointer = star != std::string_view::npos && line[star] == '*' && !word_before(line, star).empty();
  const std::string_view value = line.substr(sign);
  return pointer && value.starts_with('=') && value.find('*') != std::string_view::npos &&
         value.find('+') != std::string_view::npos;
}

/// Nothing is known of what the wrong values have in common.
bool is_right_in_first_row(const MergedFinding& finding) {
  const auto& rows = finding.lines.rows;
  return finding.region == RegionKind::rows && !finding.values && finding.detector.empty() && rows &&
         rows->first == 1 && rows->last > 1 && !rows->gaps;
}

}  // namespace

std::optional<Setting> row_pointer_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  std::optional<Setting> found;
  for_each_name(lines[line - 1], [&](std::size_t at, std::string_view name) {
    if (found || !lines[line - 1].substr(past_spaces(lines[line - 1], at + name.size())).starts_with('[')) return;
    const auto setting = last_setting_of(source, line, name);
    if (!setting) return;
    const std::size_t begin = setting->column - 1;
    if (is_set_from_product(lines[setting->line - 1], begin, begin + name.size())) found = setting;
  });
  return found;
}

void show_row_pointer(MergedFinding& finding, std::string_view source) {
  if (!is_right_in_first_row(finding)) return;
  auto pointer = row_pointer_of(source, finding.where.line);
  if (!pointer && finding.other) pointer = row_pointer_of(source, finding.other->place.line);
  if (!pointer) return;
  const std::string& name = pointer->names.front();
  finding.other = set_here(name, {finding.where.file, pointer->line, pointer->column});
  finding.help = Help::where_to_look(
      fmt::format("the first row is right: look at how far apart rows begin, in the line that sets `{}`", name));
}

}  // namespace cudalabs
