#include "source/end_of_scope.h"

#include <algorithm>
#include <array>
#include <set>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read.
constexpr std::size_t kMostDestructors = 8, kLongestDestructor = 4000, kMostDeclared = 16;

bool reads_clock(std::string_view body) {
  constexpr std::array<std::string_view, 5> kClocks{"now", "clock", "clock_gettime", "gettimeofday", "rdtsc"};
  bool reads = false;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = is_word_letter(body[at]) ? end_of_word(body, at) : at + 1;
    const std::size_t open = past_spaces(body, end);
    const bool called = open < body.size() && body[open] == '(';
    reads = reads || (called && std::ranges::find(kClocks, body.substr(at, end - at)) != kClocks.end());
    at = end;
  }
  return reads;
}

/// The types whose destructors read a clock.
std::set<std::string_view> types_with_clock(std::string_view code) {
  std::set<std::string_view> types;
  std::size_t looked_at = 0;
  for (std::size_t sign = code.find('~'); sign != kNowhere && looked_at < kMostDestructors;
       sign = code.find('~', sign + 1)) {
    const std::size_t begin = past_spaces(code, sign + 1), end = end_of_word(code, begin),
                      open = past_spaces(code, end);
    if (end == begin || open >= code.size() || code[open] != '(') continue;
    ++looked_at;
    const std::string_view near = code.substr(open, kLongestDestructor);
    const std::size_t brace = near.find_first_of("{;");
    const std::size_t past = brace != kNowhere && near[brace] == '{' ? past_bracket(near, brace) : kNowhere;
    if (past != kNowhere && reads_clock(near.substr(brace, past - brace)))
      types.insert(code.substr(begin, end - begin));
  }
  return types;
}

/// The block around `begin` is the one that ends at `end`.
bool ends_at(std::string_view code, std::size_t begin, std::size_t end) {
  int depth = 0;
  for (std::size_t at = begin; at < end; ++at) {
    depth += code[at] == '{' ? 1 : code[at] == '}' ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth == 0;
}

struct Declared {
  std::string_view name;
  std::size_t place = kNowhere;
};

/// The only variable of one of the types in the block that ends at `end`.
template <typename IsType>
Declared only_declared(std::string_view code, std::size_t begin, std::size_t end, const IsType& is_type) {
  Declared found;
  bool several = false;
  std::size_t declared = 0;
  const std::string_view body = code.substr(begin, end - begin);
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (!is_type(word)) return;
    std::size_t next = past_spaces(body, at + word.size());
    if (next < body.size() && body[next] == '<') next = std::min(past_bracket(body, next), body.size());
    next = past_spaces(body, next);
    const std::size_t past = end_of_word(body, next), sign = past_spaces(body, past);
    const bool declares = past > next && sign < body.size() && std::string_view("({;=").find(body[sign]) != kNowhere;
    if (!declares || ++declared > kMostDeclared || !ends_at(code, begin + past, end)) return;
    several = several || found.place != kNowhere;
    found = {body.substr(next, past - next), begin + next};
  });
  return several || declared > kMostDeclared ? Declared{} : found;
}

}  // namespace

std::optional<EndOfScope> clock_that_ends_before(std::string_view code, std::uint32_t within, std::uint32_t end) {
  const std::string type = destructor_around(code, within);
  const std::set<std::string_view> clocks = types_with_clock(code);
  const auto function = function_around_line(code, end);
  if (type.empty() || clocks.empty() || clocks.contains(type) || !function) return std::nullopt;
  const std::size_t line = place_of_line(code, end, 0);
  const std::size_t brace = line == kNowhere ? kNowhere : code.find('}', line);
  if (brace == kNowhere || brace >= function->end || line_at(code, brace) != end) return std::nullopt;
  const Declared late =
      only_declared(code, function->begin, brace, [&](std::string_view word) { return word == type; });
  const Declared early =
      only_declared(code, function->begin, brace, [&](std::string_view word) { return clocks.contains(word); });
  if (late.place == kNowhere || early.place == kNowhere || early.place < late.place) return std::nullopt;
  return EndOfScope{std::string(late.name), std::string(early.name), line_at(code, late.place),
                    line_at(code, early.place)};
}

}  // namespace cudalabs
