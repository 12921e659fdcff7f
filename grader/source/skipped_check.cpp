#include "source/skipped_check.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/own_words.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::string_view kAsks = "cudaGetLastError", kPeeks = "cudaPeekAtLastError";

bool asks_for_launch(std::string_view text) {
  return text.find(kAsks) != kNowhere || text.find(kPeeks) != kNowhere;
}

/// "OK" of "#define OK(what) \"; empty: the line begins no definition.
std::string_view defined_macro(std::string_view line) {
  const std::size_t sign = past_spaces(line, 0);
  if (!line.substr(sign).starts_with('#')) return {};
  const std::size_t word = past_spaces(line, sign + 1), end = end_of_word(line, word);
  if (line.substr(word, end - word) != "define") return {};
  const std::size_t name = past_spaces(line, end);
  return line.substr(name, end_of_word(line, name) - name);
}

/// The names that ask for the error of a launch: of the two calls, and of the functions and macros that have one.
std::set<std::string_view> asking_names(std::string_view code, const std::vector<FunctionBody>& functions) {
  std::set<std::string_view> names{kAsks, kPeeks};
  for (const FunctionBody& function : functions)
    if (asks_for_launch(code.substr(function.begin, function.end - function.begin))) names.insert(function.name);
  std::string_view macro;
  bool goes_on = false;
  std::set<std::string_view> defined, several;
  for (const std::string_view line : text_lines(code)) {
    if (!goes_on) macro = defined_macro(line);
    if (!goes_on && !macro.empty() && !defined.insert(macro).second) several.insert(macro);
    if (!macro.empty() && asks_for_launch(line)) names.insert(macro);
    goes_on = line.ends_with('\\');
  }
  // Which of its definitions holds is not known.
  for (const std::string_view name : several) names.erase(name);
  return names;
}

/// What decides whether a way through the text comes to a place.
class Ways {
 public:
  explicit Ways(std::string_view code) : conditions_(conditions_of(code)), loops_(loops_of(code)) {}

  /// A thread that comes to `from` comes to `place` behind it, unless a jump leads away.
  bool leads_to(std::size_t from, std::size_t place) const {
    const auto decides = [&](const ConditionText& condition) {
      return condition.decides_about(place) && !same_part(condition, from, place);
    };
    return std::ranges::none_of(conditions_, decides) &&
           std::ranges::none_of(loops_, [&](const LoopText& loop) { return has(loop, place) && !has(loop, from); });
  }

  /// No condition sends `from` one way, and `place` the other.
  bool may_lead_to(std::size_t from, std::size_t place) const {
    return std::ranges::none_of(conditions_, [&](const ConditionText& condition) {
      return condition.decides_about(from) && condition.decides_about(place) && !same_part(condition, from, place);
    });
  }

  /// The innermost loop around the place; null: there is none.
  const LoopText* loop_around(std::size_t place) const { return innermost_loop(loops_, place); }

 private:
  static bool has(const LoopText& loop, std::size_t place) { return loop.body <= place && place < loop.end; }
  static bool same_part(const ConditionText& condition, std::size_t from, std::size_t place) {
    return condition.decides_about(from) && (from < condition.end_of_body) == (place < condition.end_of_body);
  }

  std::vector<ConditionText> conditions_;
  std::vector<LoopText> loops_;
};

/// Where "done:" stands in the text behind the `goto done` at `jump`, and ahead of `end`; kNowhere: it does not.
std::size_t target_of(std::string_view code, std::size_t jump, std::size_t end) {
  const std::size_t begin = past_spaces(code, end_of_word(code, jump));
  const std::string_view label = code.substr(begin, end_of_word(code, begin) - begin);
  std::size_t found = kNowhere;
  for_each_name(code.substr(begin, end - begin), [&](std::size_t at, std::string_view word) {
    const std::string_view behind = code.substr(past_spaces(code, begin + at + word.size()));
    if (found == kNowhere && word == label && behind.starts_with(':') && !behind.starts_with("::")) found = begin + at;
  });
  return found;
}

/// The jump goes past `check`, which stands behind it.
bool goes_past(std::string_view code, std::string_view word, std::size_t jump, std::size_t check, std::size_t launch,
               const OwnBody& body, const Ways& ways) {
  if (word == "return") return true;
  if (word == "goto") {
    const std::size_t target = target_of(code, jump, body.end);
    return target != kNowhere && target > check;
  }
  const LoopText* const loop = ways.loop_around(jump);
  return loop != nullptr && loop == ways.loop_around(launch) && check < loop->end;
}

}  // namespace

std::optional<SkippedCheck> skipped_check(std::string_view code, std::uint32_t launch) {
  const std::size_t from = place_of_line(code, launch, 0);
  const auto function = function_around_line(code, launch);
  if (from == kNowhere || !function) return std::nullopt;
  const OwnBody body = own_body(code, *function, from);
  const std::size_t next_launch = code.find("<<<", std::min(code.find(';', from), code.size()));
  const std::vector<FunctionBody> functions = function_bodies(code);
  const std::set<std::string_view> asking = asking_names(code, functions);
  struct Jump {
    std::size_t place = 0;
    std::string_view word;
  };
  std::vector<Jump> jumps;
  std::optional<Jump> check;
  bool switches = false;
  for_each_own_word(code, body.begin + 1, body.end, [&](std::size_t at, std::string_view word) {
    constexpr std::size_t kMostJumps = 16;  // a text may be made to be long to read
    switches = switches || word == "switch" || word == "do";
    if (at < from || check) return;
    if (asking.contains(word) && word != function->name) check = Jump{at, word};
    const bool is_jump = word == "return" || word == "goto" || word == "break" || word == "continue";
    if (is_jump && jumps.size() < kMostJumps) jumps.push_back({at, word});
  });
  if (!check || code.substr(from, check->place - from).find("\n#") != kNowhere) return std::nullopt;
  const Ways ways(code);
  if (!ways.leads_to(from, check->place)) return std::nullopt;
  for (const Jump& jump : jumps) {
    const bool leaves_function = jump.word == "return" || jump.word == "goto";
    if (!leaves_function && switches) continue;
    // "return check();" asks itself.
    if (jump.place > next_launch || code.find(';', jump.place) > check->place) continue;
    if (!ways.may_lead_to(from, jump.place)) continue;
    if (!goes_past(code, jump.word, jump.place, check->place, from, body, ways)) continue;
    const std::size_t newline = code.rfind('\n', jump.place);
    return SkippedCheck{jump.word, line_at(code, jump.place),
                        static_cast<std::uint32_t>(newline == kNowhere ? jump.place + 1 : jump.place - newline),
                        line_at(code, check->place), check->word};
  }
  return std::nullopt;
}

}  // namespace cudalabs
