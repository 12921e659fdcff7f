// The lines tell the widths of their stores.
#include "explain/accesses/mixed_units.h"

#include <fmt/format.h>

#include "explain/accesses/wide_pointer.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// What the line stores to: "reinterpret_cast<float4*>(c)[i]" of "reinterpret_cast<float4*>(c)[i] = v;", from the end
/// of the statement before on; empty: it stores to no element.
std::string_view stored_element(std::string_view line) {
  for (std::size_t at = line.find(']'); at != kNowhere; at = line.find(']', at + 1)) {
    const std::size_t sign = past_spaces(line, at + 1);
    if (sign >= line.size() || !begins_assignment(line.substr(sign))) continue;
    const std::size_t before = line.substr(0, at).find_last_of(";{}");
    const std::size_t begin = before == kNowhere ? 0 : before + 1;
    return line.substr(begin, at + 1 - begin);
  }
  return {};
}

/// "c" of "c[k]".
bool is_plain_element(std::string_view element) {
  const std::string_view text = without_outer_spaces(element.substr(0, element.find('[')));
  return is_identifier(text.substr(text.find_last_of(" )") + 1));
}

/// The vector type that the line stores; empty: it stores another one, or none.
std::string stored_vector(std::string_view source, std::string_view line, std::uint32_t number) {
  const std::string_view element = stored_element(line);
  if (element.empty()) return {};
  const std::string in_line(vector_of_cast(element));
  if (!in_line.empty()) return in_line;
  const auto pointer = wide_pointer_in(source, number);
  return pointer && has_name(element, pointer->where.names.front()) ? pointer->type : std::string();
}

}  // namespace

void show_mixed_units(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  std::vector<std::string_view> lines;
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kGlobalRace && !finding.proven && finding.is_in_file(file) &&
                      finding.other && finding.other->role == PlaceRole::unsaid &&
                      finding.other->place.file == finding.where.file &&
                      finding.other->place.line != finding.where.line;
    if (!open) continue;
    if (lines.empty()) {
      code = without_comments(source);
      lines = text_lines(code);
    }
    const std::uint32_t own = finding.where.line, other = finding.other->place.line;
    if (own == 0 || other == 0 || own > lines.size() || other > lines.size()) continue;
    const std::string here = stored_vector(source, lines[own - 1], own);
    const std::string there = stored_vector(source, lines[other - 1], other);
    if (here.empty() == there.empty()) continue;
    const std::uint32_t narrow = here.empty() ? own : other, wide = here.empty() ? other : own;
    if (!is_plain_element(stored_element(lines[narrow - 1]))) continue;
    finding.help = Help::where_to_look(fmt::format(
        "line {} stores `{}`, {} elements at once, and line {} single ones: do both count in the same unit? Look at "
        "which elements line {} takes",
        wide, here.empty() ? there : here, (here.empty() ? there : here).back(), narrow, narrow));
  }
}

}  // namespace cudalabs
