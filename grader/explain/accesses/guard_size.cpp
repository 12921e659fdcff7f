// The two numbers are those that the launch gave: that the first is larger makes it a mistake.
#include "explain/accesses/guard_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "explain/accesses/given_arguments.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The standard library's regular expressions take stack for each character.
constexpr std::size_t kLongestLineRead = 500;

std::string short_line(const std::vector<std::string_view>& lines, std::uint32_t number) {
  const bool known = number > 0 && number <= lines.size() && lines[number - 1].size() <= kLongestLineRead;
  return known ? std::string(lines[number - 1]) : std::string();
}

void show_guard_size(MergedFinding& finding, std::string_view source, const std::vector<std::string_view>& lines) {
  const bool shown =
      finding.other && finding.other->role == PlaceRole::condition && finding.other->place.file == finding.where.file;
  const std::uint32_t guard = shown ? finding.other->place.line : finding.where.line;
  const auto numbers = numbers_given(finding, source);
  for (const auto& [row_length, column] : flat_subscripts(short_line(lines, finding.where.line))) {
    const std::string bound = compared_with(short_line(lines, guard), column);
    const auto has = std::ranges::find(numbers, bound, &NamedNumber::name),
               needs = std::ranges::find(numbers, row_length, &NamedNumber::name);
    if (bound == row_length || has == numbers.end() || needs == numbers.end() || has->value <= needs->value) continue;
    finding.help = fmt::format(
        "line {} holds `{}` against `{}`, which is {} here, and in this index a row has `{}` elements, {}: is the "
        "condition meant with `{}`?",
        guard, column, bound, has->value, row_length, needs->value, row_length);
    return;
  }
}

}  // namespace

std::vector<FlatSubscript> flat_subscripts(std::string_view line) {
  static const std::regex kSubscript(R"(\[\s*[A-Za-z_]\w*\s*\*\s*([A-Za-z_]\w*)\s*\+\s*([A-Za-z_]\w*)\s*\])");
  std::vector<FlatSubscript> found;
  if (line.size() > kLongestLineRead) return found;
  const std::string text(line);
  for (std::sregex_iterator at(text.begin(), text.end(), kSubscript), end; at != end; ++at)
    found.push_back({(*at)[1], (*at)[2]});
  return found;
}

std::string compared_with(std::string_view line, std::string_view name) {
  std::string bound;
  bool several = false;
  for_each_name(line, [&](std::size_t at, std::string_view word) {
    if (word != name) return;
    const std::size_t sign = past_spaces(line, at + word.size());
    const std::string_view text = line.substr(std::min(sign, line.size()));
    const std::size_t length = text.starts_with(">=") ? 2 : text.starts_with('<') ? 1 : 0;
    if (length == 0 || text.starts_with("<=") || text.starts_with("<<")) return;
    const std::size_t begin = past_spaces(line, sign + length);
    several = several || !bound.empty();
    bound = line.substr(begin, end_of_word(line, begin) - begin);
  });
  return several ? std::string() : bound;
}

void show_guard_sizes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  for (MergedFinding& finding : findings) {
    const bool past_end = finding.id == finding_ids::kGlobalOutOfBounds && !finding.proven && !finding.right_at_first;
    if (past_end && finding.is_in_file(file)) show_guard_size(finding, source, lines);
  }
}

}  // namespace cudalabs
