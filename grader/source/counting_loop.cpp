#include "source/counting_loop.h"

#include <algorithm>
#include <array>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// "int t = z": the counter, and what it begins with.
bool read_first(std::string_view text, CountingLoop& loop) {
  const std::size_t sign = text.find('=');
  if (sign == kNowhere || items_of(text).size() != 1 || text.substr(sign).starts_with("==")) return false;
  loop.counter = word_before(text, sign);
  loop.first = without_outer_spaces(text.substr(sign + 1));
  return is_identifier(loop.counter) && !loop.first.empty();
}

/// "t < phases".
bool read_condition(std::string_view condition, CountingLoop& loop) {
  const std::string_view text = without_outer_spaces(condition);
  if (text.substr(0, end_of_word(text, 0)) != loop.counter) return false;
  const std::size_t sign = past_spaces(text, loop.counter.size());
  if (sign + 1 >= text.size() || (text[sign] != '<' && text[sign] != '>') || text[sign + 1] == text[sign]) return false;
  loop.upwards = text[sign] == '<';
  loop.with_end = text[sign + 1] == '=';
  loop.end = without_outer_spaces(text.substr(sign + (loop.with_end ? 2 : 1)));
  return !loop.end.empty();
}

/// "t += 2", "++t", "t++".
bool read_step(std::string_view step, CountingLoop& loop) {
  const std::string_view text = without_outer_spaces(step), sign = loop.upwards ? "++" : "--";
  const bool before = text.starts_with(sign), behind = text.ends_with(sign);
  if (before || behind) {
    loop.step = "1";
    return text.size() > 2 &&
           without_outer_spaces(before ? text.substr(2) : text.substr(0, text.size() - 2)) == loop.counter;
  }
  if (text.substr(0, end_of_word(text, 0)) != loop.counter || items_of(text).size() != 1) return false;
  const std::size_t at = past_spaces(text, loop.counter.size());
  if (!text.substr(at).starts_with(loop.upwards ? "+=" : "-=")) return false;
  loop.step = without_outer_spaces(text.substr(at + 2));
  return !loop.step.empty();
}

bool may_end_early(std::string_view body) {
  constexpr std::array<std::string_view, 4> kLeaving{"break", "return", "goto", "asm"};
  bool leaves = false;
  for_each_name(body, [&](std::size_t, std::string_view name) {
    leaves = leaves || std::ranges::find(kLeaving, name) != kLeaving.end();
  });
  return leaves;
}

}  // namespace

std::optional<std::int64_t> CountingLoop::rounds(std::int64_t first_value, std::int64_t end_value,
                                                 std::int64_t step_value) const {
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;  // so that nothing overflows
  for (const std::int64_t value : {first_value, end_value, step_value})
    if (value > kLargest || value < -kLargest) return std::nullopt;
  const std::int64_t way = (upwards ? end_value - first_value : first_value - end_value) + (with_end ? 1 : 0);
  if (way <= 0) return 0;
  return step_value > 0 ? std::optional((way + step_value - 1) / step_value) : std::nullopt;
}

std::optional<CountingLoop> counting_loop(std::string_view code, const LoopText& loop) {
  CountingLoop found;
  if (!read_first(loop.first, found) || !read_condition(loop.condition, found) || !read_step(loop.step, found))
    return std::nullopt;
  const std::string_view body = code.substr(loop.body, loop.end - loop.body);
  const std::vector<std::string_view> changed = changed_names(body);
  if (may_end_early(body) || std::ranges::find(changed, found.counter) != changed.end()) return std::nullopt;
  return found;
}

}  // namespace cudalabs
