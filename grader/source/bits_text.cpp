#include "source/bits_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::array<std::string_view, 8> kIntegers{"int",     "unsigned", "int32_t", "uint32_t",
                                                    "int64_t", "uint64_t", "uint8_t", "uint"};

/// A member of a union that is an integer beside a `float`, in each union of the text.
std::set<std::string_view> integer_members(std::string_view code) {
  constexpr std::size_t kLongestUnion = 500;
  std::set<std::string_view> members;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "union") return;
    const std::string_view text = code.substr(at, kLongestUnion);
    const std::size_t open = text.find('{'), end = text.find('}');
    if (open == kNowhere || end == kNowhere || end < open || text.find(';') < open) return;
    const std::string_view body = text.substr(open + 1, end - open - 1);
    if (!has_name(body, "float")) return;
    for_each_name(body, [&](std::size_t place, std::string_view name) {
      const std::string_view type = word_before(body, place);
      if (std::ranges::find(kIntegers, type) != kIntegers.end() &&
          std::ranges::find(kIntegers, name) == kIntegers.end())
        members.insert(name);
    });
  });
  return members;
}

/// "bits += 5" and "bits++", where the name of the member is at `at`.
bool changes_member(std::string_view code, std::size_t at, std::string_view name) {
  const std::string_view rest = code.substr(past_spaces(code, at + name.size()));
  return begins_assignment(rest) || rest.starts_with("++") || rest.starts_with("--");
}

}  // namespace

std::optional<std::uint32_t> only_float_bits(std::string_view code) {
  const std::set<std::string_view> members = integer_members(code);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::size_t first = kNowhere, last = kNowhere;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!is_word_letter(code[at])) continue;
    const std::size_t end = end_of_word(code, at);
    const std::string_view word = code.substr(at, end - at);
    const bool makes = word == "__int_as_float" || word == "__uint_as_float";
    const bool changes = members.contains(word) && is_member(code, at) && changes_member(code, at, word);
    if (bodies[at].device && (makes || changes)) {
      if (last != kNowhere && code.substr(last, at - last).find('\n') != kNowhere) return std::nullopt;
      first = std::min(first, at);
      last = at;
    }
    at = end - 1;
  }
  return first == kNowhere ? std::nullopt : std::optional(line_at(code, first));
}

}  // namespace cudalabs
