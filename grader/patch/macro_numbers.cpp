#include "patch/macro_numbers.h"

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::patch {

std::vector<std::string_view> macro_numbers(std::string_view code) {
  constexpr std::string_view kDefine = "#define ";
  constexpr std::size_t kLongestLine = 200;
  std::vector<std::string_view> names;
  for (const std::string_view line : text_lines(code)) {
    if (!line.starts_with(kDefine) || line.size() > kLongestLine) continue;
    const std::size_t begin = past_spaces(line, kDefine.size()), end = end_of_word(line, begin);
    const std::string_view value = without_outer_spaces(line.substr(end));
    const bool has_parameters = end < line.size() && line[end] == '(';
    if (end == begin || has_parameters || value.empty()) continue;
    const bool is_sum = value.front() == '(' && value.back() == ')' && value.find_first_of(",;{\"") == kNowhere;
    const bool is_number = value.find_first_not_of("0123456789u") == kNowhere;
    if (is_number || is_sum) names.push_back(line.substr(begin, end - begin));
  }
  return names;
}

}  // namespace cudalabs::patch
