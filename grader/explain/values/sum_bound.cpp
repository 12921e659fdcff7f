#include "explain/values/sum_bound.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "source/loop_text.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "depth" of "k < depth".
std::string_view plain_end_of(std::string_view condition) {
  const std::size_t sign = condition.find('<');
  if (sign == std::string_view::npos || condition.find_first_of("<>&|", sign + 1) != std::string_view::npos) return {};
  const std::size_t begin = past_spaces(condition, sign + 1), end = end_of_word(condition, begin);
  const bool alone = end > begin && past_spaces(condition, end) == condition.size() && !is_digit(condition[begin]);
  return alone ? condition.substr(begin, end - begin) : std::string_view();
}

}  // namespace

std::optional<SumBound> bound_of_tile_sum(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  constexpr std::size_t kMostTried = 16;  // a text may be made to be long to read
  const std::uint32_t before = end_of_function_before(lines, line);
  std::uint32_t end = line;
  while (end <= lines.size() && !lines[end - 1].starts_with('}')) ++end;
  std::size_t tried = 0;
  const std::vector<LoopText> loops = loops_of(code);
  const SourceNumbers numbers(code);
  std::optional<SumBound> found;
  for (const LoopText& inner : loops) {
    const std::string_view name = plain_end_of(inner.condition);
    if (name.empty() || inner.line <= before || inner.line > end) continue;
    if (++tried > kMostTried) return std::nullopt;
    const bool adds =
        std::string_view(code).substr(inner.body, inner.end - inner.body).find("+=") != std::string::npos ||
        std::string_view(code).substr(inner.body, inner.end - inner.body).find("fma") != std::string::npos;
    const auto setting = last_setting_of(source, inner.line, name);
    if (!adds || !setting || numbers.value(name, inner.line, nullptr)) continue;
    bool anew = false;
    for (const LoopText& outer : loops) anew = anew || (outer.holds(inner) && outer.line < setting->line);
    if (!anew) continue;
    if (found) return std::nullopt;
    found = SumBound{*setting, inner.line};
  }
  return found;
}

bool show_sum_bound(MergedFinding& finding, std::string_view source) {
  if (finding.detector != "product_keeps_old_tile") return false;
  const auto sum = bound_of_tile_sum(source, finding.where.line);
  if (!sum) return false;
  const std::string& name = sum->bound.names.front();
  finding.other =
      OtherPlace{fmt::format("this loop goes on to `{}`", name), {finding.where.file, sum->loop, 0}, {}, {}};
  finding.proven = true;
  finding.where = {finding.where.file, sum->bound.line, sum->bound.column};
  finding.help = fmt::format(
      "in the last phase `{}` must be the number of products that are left: the size of the inner dimension less all "
      "products of the phases before",
      name);
  return true;
}

}  // namespace cudalabs
