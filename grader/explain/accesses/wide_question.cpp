#include "explain/accesses/wide_question.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestGrouped = 300;  // a text may be made to be long to read

bool has_number_of_group(std::string_view text, std::uint64_t together) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_letter(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(text, at);
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + end, number);
    if (read.ec == std::errc() && (number == together || number + 1 == together)) return true;
    at = end;
  }
  return false;
}

bool counts_so(std::string_view expression, std::uint32_t line, std::uint64_t together, const SourceNumbers& numbers,
               int steps) {
  if (expression.size() > kLongestGrouped) return true;
  if (has_number_of_group(expression, together)) return true;
  bool found = false;
  for_each_name(expression, [&](std::size_t, std::string_view name) {
    if (found) return;
    const auto worth = numbers.value(name, line, nullptr);
    found = worth && *worth == static_cast<std::int64_t>(together);
    if (found || worth || steps == 0) return;
    const auto set = numbers.setting_of(name, line);
    found = set && counts_so(set->value, set->line, together, numbers, steps - 1);
  });
  return found;
}

}  // namespace

bool counts_in_groups(std::string_view expression, std::uint32_t line, std::uint64_t together,
                      const SourceNumbers& numbers) {
  constexpr int kMostSteps = 2;
  return counts_so(expression, line, together, numbers, kMostSteps);
}

bool is_plain_guard(const ConditionText& condition, std::string_view code, std::uint64_t together,
                    const SourceNumbers& numbers) {
  const std::string_view body = code.substr(condition.body, condition.end_of_body - condition.body);
  const bool chooses = condition.end > condition.end_of_body || has_name(body, "return") || has_name(body, "continue");
  const std::vector<std::string_view> parts = parts_of_condition(condition.condition, "&&");
  return !chooses && std::ranges::all_of(parts, [&](std::string_view part) {
    return part.find_first_of("<>") != kNowhere && part.find_first_of("%&|") == kNowhere &&
           !counts_in_groups(part, condition.line, together, numbers);
  });
}

}  // namespace cudalabs
