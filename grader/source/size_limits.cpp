#include "source/size_limits.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <system_error>

#include "source/named_constant.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostLimits = 64;  // a text may be made to be long to read
constexpr std::int64_t kLargestLimit = std::numeric_limits<std::int32_t>::max();

bool is_limit(std::int64_t number) {
  return number >= 2 && number <= kLargestLimit;
}

/// Past the word, and past those that a digit separator joins to a number: "1'048'576".
std::size_t end_of_number(std::string_view code, std::size_t at) {
  std::size_t end = end_of_word(code, at);
  while (end + 1 < code.size() && code[end] == '\'' && is_digit(code[end + 1])) end = end_of_word(code, end + 1);
  return end;
}

/// 256 of "256u"; 0: it is no whole number, or one that is written in another base, as bits are.
std::int64_t decimal_number(std::string word) {
  std::erase(word, '\'');
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || word.front() == '0') return 0;
  const std::string_view suffix = std::string_view(word).substr(static_cast<std::size_t>(end - word.data()));
  return suffix.find_first_not_of("uUlLzZ") == kNowhere ? number : 0;
}

/// "256", and neither "1.5", ".5" nor "1e6".
std::set<std::int64_t> written_numbers(std::string_view code) {
  std::set<std::int64_t> numbers;
  for (std::size_t at = 0; at < code.size() && numbers.size() < kMostLimits;) {
    if (code[at] == '"' || !is_word_letter(code[at])) {
      at = std::max(at + 1, past_string(code, at));
      continue;
    }
    const std::size_t end = is_digit(code[at]) ? end_of_number(code, at) : end_of_word(code, at);
    const bool fraction = (at > 0 && code[at - 1] == '.') || (end < code.size() && code[end] == '.');
    if (is_digit(code[at]) && !fraction) {
      if (const std::int64_t number = decimal_number(std::string(code.substr(at, end - at))); is_limit(number))
        numbers.insert(number);
    }
    at = end;
  }
  return numbers;
}

std::set<std::int64_t> worths_of_constants(std::string_view code) {
  const SourceNumbers values(code);
  const auto last = static_cast<std::uint32_t>(text_lines(code).size());
  std::set<std::int64_t> worths;
  for (const std::string_view name : constants_of(code)) {
    const auto value = values.value(name, last, nullptr);
    if (value && is_limit(*value)) worths.insert(*value);
  }
  return worths;
}

}  // namespace

SizeLimits size_limits_of(std::string_view code) {
  const std::set<std::int64_t> constants = worths_of_constants(code);
  std::set<std::int64_t> numbers = constants;
  for (const std::int64_t number : written_numbers(code))
    if (numbers.size() < kMostLimits) numbers.insert(number);
  std::set<std::int64_t> products;
  const std::set<std::int64_t>& factors = constants.size() < 2 ? numbers : constants;
  for (auto one = factors.begin(); one != factors.end(); ++one) {
    for (auto other = std::next(one); other != factors.end() && *one * *other <= kLargestLimit; ++other)
      if (products.size() < kMostLimits && !numbers.contains(*one * *other)) products.insert(*one * *other);
  }
  return {{numbers.begin(), numbers.end()}, {products.begin(), products.end()}};
}

}  // namespace cudalabs
