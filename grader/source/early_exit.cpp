#include "source/early_exit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/own_words.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// More is not looked at: a text may be made to be long to read.
constexpr std::size_t kMostJumps = 32, kMostReleases = 16, kLongestCall = 400;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// Conditions and loops of a source, and which of them are around places of one function.
class Around {
 public:
  explicit Around(std::string_view code) : conditions_(conditions_of(code)), loops_(loops_of(code)) {}

  /// Nothing but what is around `from`, too, decides whether a way through the text comes to `place`.
  bool is_as_sure(std::size_t place, std::size_t from) const {
    const auto decides = [&](const ConditionText& condition) {
      const bool same_part =
          condition.decides_about(from) && (place < condition.end_of_body) == (from < condition.end_of_body);
      return condition.decides_about(place) && !same_part;
    };
    return std::ranges::none_of(conditions_, decides) &&
           std::ranges::none_of(loops_, [&](const LoopText& loop) { return has(loop, place) && !has(loop, from); });
  }

  bool leaves_loop(std::size_t from, std::size_t place) const {
    return std::ranges::any_of(loops_, [&](const LoopText& loop) { return has(loop, from) && !has(loop, place); });
  }

  /// In a loop that begins behind `place`.
  bool is_in_later_loop(std::size_t jump, std::size_t place) const {
    return std::ranges::any_of(loops_, [&](const LoopText& loop) { return has(loop, jump) && loop.begin > place; });
  }

  /// The innermost one that has the place in its first part; null: it has it in its `else`, or there is none.
  const ConditionText* condition_of(std::size_t place) const {
    const ConditionText* innermost = nullptr;
    for (const ConditionText& condition : conditions_)
      if (condition.decides_about(place)) innermost = &condition;
    return innermost != nullptr && place < innermost->end_of_body ? innermost : nullptr;
  }

 private:
  static bool has(const LoopText& loop, std::size_t place) { return loop.body <= place && place < loop.end; }

  std::vector<ConditionText> conditions_;
  std::vector<LoopText> loops_;
};

/// What the rest of a function does with the pointer, from its allocation on.
struct Rest {
  std::vector<std::size_t> releases, jumps;
  bool clear = true;  // else the text has more ways out, or the pointer may be another one
};

/// "release(pointer)" at that place.
bool calls_with(std::string_view code, std::size_t at, std::string_view name, std::string_view pointer) {
  const std::size_t open = past_spaces(code, at + name.size());
  if (open >= code.size() || code[open] != '(') return false;
  const std::size_t length = code.substr(open, kLongestCall).find(')');
  return length != kNowhere && without_outer_spaces(code.substr(open + 1, length - 1)) == pointer;
}

/// The address of what begins at `at` and ends at `end` is taken there, or it is set.
bool may_be_set(std::string_view code, std::size_t at, std::size_t end) {
  const std::size_t before = before_spaces(code, at), behind = past_spaces(code, end);
  return (before != kNowhere && code[before] == '&') || begins_assignment(code.substr(std::min(behind, code.size())));
}

/// "buffers[0]", in a text that has that array's name at `at`: it may be set there, as may all of its elements.
bool may_change_element(std::string_view code, std::size_t at, std::string_view element, std::size_t length_of_name) {
  const std::size_t open = past_spaces(code, at + length_of_name);
  if (open >= code.size() || code[open] != '[') return true;
  const std::size_t length = code.substr(open, kLongestCall).find(']');
  if (length == kNowhere) return true;
  const std::string_view number = without_outer_spaces(code.substr(open + 1, length - 1));
  const bool other = !number.empty() && std::ranges::all_of(number, is_digit) &&
                     number != element.substr(length_of_name + 1, element.size() - length_of_name - 2);
  return !other && may_be_set(code, at, open + length + 1);
}

/// The pointer is set there, or its address is taken.
bool may_change(std::string_view code, std::size_t at, std::string_view pointer) {
  const std::size_t bracket = pointer.find('[');
  if (bracket != kNowhere) {
    const bool of_array = code.substr(at, end_of_word(code, at) - at) == pointer.substr(0, bracket);
    return of_array && may_change_element(code, at, pointer, bracket);
  }
  if (!code.substr(at).starts_with(pointer) || end_of_word(code, at + pointer.size() - 1) != at + pointer.size())
    return false;
  return may_be_set(code, at, at + pointer.size());
}

Rest rest_of(std::string_view code, const FunctionBody& function, std::size_t allocation, const Around& around,
             std::string_view allocate, std::string_view release, std::string_view pointer) {
  Rest rest;
  std::size_t changes = 0;
  for_each_own_word(code, function.begin, function.end, [&](std::size_t at, std::string_view word) {
    if (at < allocation) return;
    if (word == release && calls_with(code, at, release, pointer)) rest.releases.push_back(at);
    if (word == "return" || word == "goto") rest.jumps.push_back(at);
    if ((word == "break" || word == "continue") && !around.is_in_later_loop(at, allocation)) rest.clear = false;
    if (is_one_of(word, {"throw", "exit", "abort", "swap", "do", "switch"})) rest.clear = false;
    if (may_change(code, at, pointer)) ++changes;
  });
  const bool sets_once = changes <= 1 && code.substr(allocation, kLongestCall).find(allocate) != kNowhere;
  rest.clear = rest.clear && sets_once && rest.releases.size() <= kMostReleases && rest.jumps.size() <= kMostJumps;
  return rest;
}

/// "err" of "cudaError_t err = ...".
std::set<std::string_view> statuses_of(std::string_view code) {
  std::set<std::string_view> statuses;
  std::string_view before;
  for_each_name(code, [&](std::size_t, std::string_view word) {
    if (before == "cudaError_t") statuses.insert(word);
    before = word;
  });
  return statuses;
}

/// The line of the statement that a condition asks for its error: that before it, or the condition itself. 0: it asks
/// for something else.
std::uint32_t asked_statement(std::string_view code, const ConditionText& condition,
                              const std::set<std::string_view>& statuses, std::string_view allocate) {
  const std::string_view text = condition.condition;
  if (text.find(allocate) != kNowhere) return condition.line;
  if (text.find("&&") != kNowhere || text.find("||") != kNowhere) return 0;
  const bool compares = text.find("cudaSuccess") != kNowhere && text.find("!=") != kNowhere;
  if (text.find('(') != kNowhere) return compares ? condition.line : 0;
  if (!compares && !statuses.contains(text)) return 0;
  const std::size_t end = before_spaces(code, condition.begin);
  if (end == kNowhere || code[end] != ';') return 0;
  const std::size_t before = code.find_last_of(";{}", end - 1);
  return before == kNowhere ? 0 : line_at(code, past_spaces(code, before + 1));
}

/// Where "done:" stands behind a `goto done`; the function's end for a `return`. kNowhere: it goes back.
std::size_t target_of(std::string_view code, std::size_t jump, std::string_view text, std::size_t end) {
  if (text == "return") return end;
  const std::string_view label = text.substr(text.rfind(' ') + 1);
  std::size_t found = kNowhere;
  for_each_name(code.substr(jump, end - jump), [&](std::size_t at, std::string_view word) {
    const std::string_view behind = code.substr(past_spaces(code, jump + at + word.size()));
    if (found == kNowhere && word == label && behind.starts_with(':') && !behind.starts_with("::")) found = jump + at;
  });
  return found;
}

/// "return", "goto done".
std::string_view jump_text(std::string_view code, std::size_t jump) {
  std::size_t end = end_of_word(code, jump);
  if (code.substr(jump, end - jump) == "goto") end = end_of_word(code, past_spaces(code, end));
  return code.substr(jump, end - jump);
}

}  // namespace

std::vector<EarlyExit> early_exits(std::string_view code, std::uint32_t line, std::string_view allocate,
                                   std::string_view release, std::string_view pointer) {
  const auto function = function_around_line(code, line);
  const std::size_t allocation = place_of_line(code, line, 0);
  if (!function || allocation == kNowhere || pointer.empty()) return {};
  const Around around(code);
  const Rest rest = rest_of(code, *function, allocation, around, allocate, release, pointer);
  if (!rest.clear) return {};
  const std::set<std::string_view> statuses = statuses_of(code);
  std::vector<EarlyExit> exits;
  for (const std::size_t jump : rest.jumps) {
    const std::string_view text = jump_text(code, jump);
    const std::size_t target = target_of(code, jump, text, function->end), end = std::min(code.find(';', jump), target);
    if (target == kNowhere) return {};
    const auto comes_before = [&](std::size_t place) { return place < end && around.is_as_sure(place, jump); };
    const auto comes_later = [&](std::size_t place) {
      return place > end && around.is_as_sure(place, allocation) && !around.leaves_loop(allocation, place);
    };
    if (std::ranges::any_of(rest.releases, comes_before)) continue;
    const auto missed = std::ranges::find_if(rest.releases, comes_later);
    if (missed == rest.releases.end() || rest.releases.back() >= target) continue;
    const ConditionText* const condition = around.condition_of(jump);
    exits.push_back({text, line_at(code, jump), line_at(code, *missed),
                     condition != nullptr ? asked_statement(code, *condition, statuses, allocate) : 0});
  }
  return exits;
}

}  // namespace cudalabs
