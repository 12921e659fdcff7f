#include "explain/accesses/rest_loop.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "source/loop_text.h"
#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// "width" of "col + 3 < width" and of "width >= col + 4"; empty: the part compares otherwise.
std::string_view bound_in(std::string_view part) {
  const std::size_t sign = part.find_first_of("<>");
  if (sign == kNowhere) return {};
  const std::size_t behind = part.substr(sign + 1).starts_with('=') ? sign + 2 : sign + 1;
  const std::string_view bound = without_outer_spaces(part[sign] == '<' ? part.substr(behind) : part.substr(0, sign));
  return is_identifier(bound) ? bound : std::string_view();
}

bool goes_up_by_one(const LoopText& loop) {
  const std::string step = without_blanks(loop.step);
  return step.starts_with("++") || step.ends_with("++") || step.ends_with("+=1");
}

/// One comparison with the bound, "col + k < width" or "k < width - col".
bool asks_for_end(std::string_view condition, std::string_view bound) {
  const bool is_one = condition.find_first_of("&|?(") == kNowhere;
  return is_one && has_name(condition, bound) && std::ranges::count(condition, '<') == 1;
}

/// The loop's own part, or a line that it comes after, leaves it earlier.
bool may_end(std::string_view body) {
  constexpr std::array<std::string_view, 3> kWaysOut{"break", "return", "goto"};
  return std::ranges::any_of(kWaysOut, [&](std::string_view word) { return has_name(body, word); });
}

bool ends_with_return(std::string_view code, const ConditionText& condition) {
  const std::string_view body = code.substr(condition.body, condition.end_of_body - condition.body);
  const std::size_t last = body.rfind("return");
  return last != kNowhere && without_blanks(body.substr(last)).find_first_not_of("return;}") == std::string::npos;
}

}  // namespace

std::uint32_t unlimited_rest(std::string_view code, const ConditionText& condition) {
  std::size_t end = condition.end;
  if (condition.end == condition.end_of_body) {
    if (!ends_with_return(code, condition)) return 0;
    constexpr std::size_t kLongestRest = 2000;
    end = std::min({code.size(), condition.end + kLongestRest, code.find("\n}", condition.end)});
  }
  std::vector<std::string_view> bounds;
  for (const std::string_view part : parts_of_condition(condition.condition, "&&"))
    if (const std::string_view bound = bound_in(part); !bound.empty()) bounds.push_back(bound);
  for (const LoopText& loop : loops_of(code)) {
    if (loop.begin < condition.end_of_body || loop.end > end || !goes_up_by_one(loop)) continue;
    const auto bound =
        std::ranges::find_if(bounds, [&](std::string_view each) { return asks_for_end(loop.condition, each); });
    if (bound == bounds.end() || may_end(code.substr(loop.body, loop.end - loop.body))) continue;
    const bool is_of_some = std::ranges::any_of(conditions_of(code), [&](const ConditionText& each) {
      return each.begin >= condition.end_of_body && each.decides_about(loop.begin) && !has_name(each.condition, *bound);
    });
    return is_of_some ? 0 : loop.line;
  }
  return 0;
}

}  // namespace cudalabs
