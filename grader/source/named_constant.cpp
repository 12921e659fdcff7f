#include "source/named_constant.h"

#include <set>

#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "TILE" of "#define TILE 16" and of "constexpr int TILE = 16;"; empty: the line has no constant.
std::string_view constant_in(std::string_view line) {
  constexpr std::string_view kDefine = "#define ";
  const std::size_t macro = line.find(kDefine);
  if (macro != kNowhere) {
    const std::size_t at = past_spaces(line, macro + kDefine.size());
    return line.substr(at, end_of_word(line, at) - at);
  }
  if (!has_name(line, "const") && !has_name(line, "constexpr")) return {};
  const std::size_t sign = line.find('=');
  return sign == kNowhere ? std::string_view() : word_before(line, sign);
}

}  // namespace

std::vector<std::string_view> constants_of(std::string_view code) {
  constexpr std::size_t kMostConstants = 64;  // a text may be made to be long to read
  std::set<std::string_view> names;
  for (const std::string_view text : text_lines(code)) {
    const std::string_view name = constant_in(text);
    if (!name.empty() && names.size() < kMostConstants) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::string constant_worth(std::string_view code, std::int64_t value, std::uint32_t line) {
  const SourceNumbers numbers(code);
  std::string found;
  for (const std::string_view name : constants_of(code)) {
    if (numbers.value(name, line, nullptr) != value) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

}  // namespace cudalabs
