// The lines of a statement, up to the first that ends one or begins a block.
#include "explain/places/call_place.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// From 1; 0: the line does not have the name.
std::uint32_t column_of(std::string_view line, std::string_view name) {
  std::uint32_t column = 0;
  for_each_name(line, [&](std::size_t at, std::string_view word) {
    if (column == 0 && word == name) column = static_cast<std::uint32_t>(at) + 1;
  });
  return column;
}

}  // namespace

void place_at_call(MergedFinding& finding, std::string_view source) {
  const std::string& name = finding.failed_call;
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  const std::uint32_t first = finding.where.line;
  if (finding.id != finding_ids::kRuntimeError || name.empty() || first == 0 || first > lines.size()) return;
  std::vector<SourcePlace> places;
  for (std::size_t i = first - 1; i < lines.size(); ++i) {
    const std::uint32_t column = column_of(lines[i], name);
    if (column != 0) places.push_back({finding.where.file, static_cast<std::uint32_t>(i) + 1, column});
    if (lines[i].find_first_of(";{}") != std::string_view::npos) break;
  }
  if (places.empty() || places.front().line == first) return;
  if (places.size() == 1) {
    finding.where = places.front();
  } else {
    finding.note.insert(
        0, fmt::format("the call is in the statement that begins here, line {} or after\n", places.front().line));
  }
}

}  // namespace cudalabs
