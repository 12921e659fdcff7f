// Brackets are matched, statements are not parsed: a body is a block in braces, or goes on to its semicolon.
#include "source/loop_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "source/called_functions.h"
#include "source/statement_ends.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "a = 0; a < n; ++a" -> three parts; those of a `for` over a range are one.
std::vector<std::string_view> parts_of(std::string_view head) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = head.find(';', begin);
    parts.push_back(head.substr(begin, end == kNowhere ? end : end - begin));
    if (end == kNowhere) return parts;
    begin = end + 1;
  }
}

/// The sign before a name takes its address: "f(&i" and "p = &i".
bool is_address(std::string_view text, std::size_t sign) {
  constexpr std::string_view kBefore = "(,={";
  const std::size_t before = before_spaces(text, sign);
  return before != kNowhere && kBefore.find(text[before]) != kBefore.npos;
}

bool changes_name(std::string_view text, std::string_view name) {
  const std::vector<std::string_view> changed = changed_names(text);
  return std::ranges::find(changed, name) != changed.end();
}

/// Where the function's text begins and ends that has `line` in it: from the brace that ends one to the next, each in
/// the first column.
std::pair<std::size_t, std::size_t> function_around(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  const auto place = [&](std::string_view text) { return static_cast<std::size_t>(text.data() - code.data()); };
  const std::uint32_t before = end_of_function_before(lines, line);
  const auto last = std::find_if(lines.begin() + std::min<std::ptrdiff_t>(std::max(line, 1u) - 1, std::ssize(lines)),
                                 lines.end(), [](std::string_view text) { return text.starts_with('}'); });
  return {before == 0 ? 0 : place(lines[before - 1]), last == lines.end() ? code.size() : place(*last)};
}

/// The counter of a loop that gives it no value of its own: what its condition asks for, and its step or else its body
/// changes. Empty: there is none, or there are several.
std::string_view open_counter(std::string_view code, const LoopText& loop) {
  if (past_spaces(loop.first, 0) < loop.first.size()) return {};
  const bool has_step = past_spaces(loop.step, 0) < loop.step.size();
  const std::string_view changing = has_step ? loop.step : code.substr(loop.body, loop.end - loop.body);
  std::string_view counter;
  bool several = false;
  for (const std::string_view name : changed_names(changing)) {
    if (!has_name(loop.condition, name) || name == counter) continue;
    several = several || !counter.empty();
    counter = name;
  }
  return several ? std::string_view() : counter;
}

/// Which way a text steps a name: none where it does not change it, unknown where it may set it to anything.
enum class Steps : std::uint8_t { none, up, down, unknown };

constexpr std::array<std::string_view, 4> kUp{"++", "+=", "*=", "<<="};
constexpr std::array<std::string_view, 4> kDown{"--", "-=", "/=", ">>="};

bool starts_with_any(std::string_view text, const std::array<std::string_view, 4>& signs) {
  return std::ranges::any_of(signs, [&](std::string_view sign) { return text.starts_with(sign); });
}

/// What the sign behind the name, or the one before it, does; unknown where that is neither.
Steps stepped_at(std::string_view text, std::size_t at, std::string_view name) {
  const std::string_view rest = text.substr(past_spaces(text, at + name.size()));
  const std::size_t last = before_spaces(text, at);
  const bool twice = last != kNowhere && last > 0 && text[last - 1] == text[last];
  if (twice && (text[last] == '+' || text[last] == '-')) return text[last] == '+' ? Steps::up : Steps::down;
  // An amount below 0 turns the step round.
  const std::string_view amount = rest.substr(0, rest.find_first_of(";,"));
  const bool counts = rest.starts_with("++") || rest.starts_with("--");
  if (!counts && amount.find('-', 2) != kNowhere) return Steps::unknown;
  if (starts_with_any(rest, kUp)) return Steps::up;
  return starts_with_any(rest, kDown) ? Steps::down : Steps::unknown;
}

/// Of all places that change the name.
Steps steps_of(std::string_view text, std::string_view name) {
  Steps steps = Steps::none;
  for (const std::string_view changed : changed_names(text)) {
    if (changed != name) continue;
    const Steps here = stepped_at(text, static_cast<std::size_t>(changed.data() - text.data()), name);
    steps = steps == Steps::none || steps == here ? here : Steps::unknown;
  }
  return steps;
}

/// The next round of the outer loop may find something left to do for the inner one: the counter is set back, what it
/// is compared with changes, or the inner loop may be left before its end. A further loop that takes the counter on
/// the same way sets nothing back.
bool is_resumed(std::string_view code, const LoopText& inner, const LoopText& outer, std::string_view counter) {
  const std::string_view head = code.substr(outer.begin, outer.body - outer.begin),
                         before = code.substr(outer.body, inner.begin - outer.body),
                         after = code.substr(inner.end, outer.end - inner.end),
                         round = code.substr(inner.begin, inner.end - inner.begin),
                         body = code.substr(inner.body, inner.end - inner.body);
  const Steps own = steps_of(round, counter);
  const auto sets_back = [&](std::string_view text) {
    const Steps steps = steps_of(text, counter);
    return steps != Steps::none && (steps == Steps::unknown || steps != own);
  };
  bool resumed = has_name(head, counter) || sets_back(before) || sets_back(after);
  for (const std::string_view leaves : {"break", "return", "goto"}) resumed = resumed || has_name(body, leaves);
  for_each_name(inner.condition, [&](std::size_t, std::string_view name) {
    const bool compared = name != counter && (changes_name(head, name) || changes_name(before, name) ||
                                              changes_name(body, name) || changes_name(after, name));
    resumed = resumed || compared;
  });
  return resumed;
}

/// The only counter that nothing sets back, of the loops that begin at places which are meant.
template <typename IsMeant>
std::optional<UnresetCounter> unreset_counter_in(std::string_view code, const IsMeant& is_meant) {
  const std::vector<LoopText> loops = loops_of(code);
  std::optional<UnresetCounter> found;
  std::vector<const LoopText*> around;  // the inner ones last
  for (const LoopText& inner : loops) {
    if (!is_meant(inner.begin)) continue;
    while (!around.empty() && around.back()->end <= inner.begin) around.pop_back();
    const LoopText* const outer = around.empty() || !around.back()->holds(inner) ? nullptr : around.back();
    around.push_back(&inner);
    const std::string_view counter = outer == nullptr ? std::string_view() : open_counter(code, inner);
    if (counter.empty() || is_resumed(code, inner, *outer, counter)) continue;
    // The rest of the rounds is often done by a second loop on the same counter.
    if (found && found->inner.names.front() == counter && found->outer == outer->line) continue;
    if (found) return std::nullopt;
    found = {{{std::string(counter)}, inner.line, inner.column},
             outer->line,
             line_at(code, outer->end - 1),
             std::string(code.substr(inner.body, inner.end - inner.body))};
  }
  return found;
}

bool alike_but_for_spaces(std::string_view left, std::string_view right) {
  std::size_t at = 0;
  for (const char letter : left) {
    if (letter == ' ' || letter == '\n') continue;
    at = past_spaces(right, at);
    if (at >= right.size() || right[at++] != letter) return false;
  }
  return past_spaces(right, at) == right.size();
}

/// The head of the loop makes a variable of its own of that name.
bool declares(const LoopText& loop, std::string_view wanted) {
  bool declared = false;
  for_each_name(loop.first, [&](std::size_t at, std::string_view name) {
    declared = declared || (name == wanted && !word_before(loop.first, at).empty());
  });
  return declared;
}

/// Of two loops with the same condition: the first one goes on until it is false, and what is between the two changes
/// nothing of that. Where a brace is between them, or a condition before one, it may be left out.
bool is_spent_by(std::string_view code, const LoopText& first, const LoopText& second, std::string_view counter) {
  if (declares(first, counter)) return false;
  const std::string_view between = code.substr(first.end, second.begin - first.end),
                         body = code.substr(first.body, first.end - first.body);
  const std::size_t before = before_spaces(code, first.begin);
  const bool always = before != kNowhere && std::string_view(";{}").find(code[before]) != kNowhere;
  if (!always || between.find_first_of("{}") != kNowhere || has_name(between, "else") || has_name(between, "if"))
    return false;
  const Steps step = steps_of(first.step, counter), inside = steps_of(body, counter), then = steps_of(between, counter),
              own = step == Steps::none ? inside : step;
  bool spent = (own == Steps::up || own == Steps::down) && (inside == Steps::none || inside == own) &&
               (then == Steps::none || then == own);
  for (const std::string_view leaves : {"break", "return", "goto"}) spent = spent && !has_name(body, leaves);
  for_each_name(first.condition, [&](std::size_t, std::string_view name) {
    spent = spent && (name == counter || !changes_name(between, name));
  });
  return spent;
}

using NameSet = std::set<std::string_view>;

NameSet all_names_in(std::string_view text) {
  NameSet names;
  for_each_name(text, [&](std::size_t, std::string_view name) { names.insert(name); });
  return names;
}

/// Adds the names that some `name = ...;` of the text gives one of them its value by, and those that these have theirs
/// by.
void add_what_sets(std::string_view text, NameSet& wanted) {
  constexpr int kMostSteps = 3;  // from an index to the counters it is computed from
  for (int step = 0; step < kMostSteps; ++step) {
    NameSet more;
    std::size_t done = 0;  // a value is read once, however many signs it has
    for_each_name(text, [&](std::size_t at, std::string_view name) {
      const std::size_t sign = past_spaces(text, at + name.size());
      const std::string_view rest = text.substr(sign);
      if (at < done || !wanted.contains(name) || !rest.starts_with('=') || rest.starts_with("==")) return;
      const std::string_view value = rest.substr(0, rest.find_first_of(";,{"));
      done = sign + value.size();
      more.merge(all_names_in(value));
    });
    wanted.merge(more);
  }
}

}  // namespace

std::vector<LoopText> loops_of(std::string_view code) {
  std::vector<LoopText> loops;
  const StatementEnds ends(code);
  std::set<std::size_t> ends_of_do;  // where the `while` of a `do` stands
  std::uint32_t line = 1;
  std::size_t line_begin = 0;
  for (std::size_t at = 0; at < code.size();) {
    if (code[at] == '\n') {
      ++line;
      line_begin = at + 1;
    }
    if (!is_word_letter(code[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(code, at), open = past_spaces(code, end);
    const std::string_view word = code.substr(at, end - at);
    const bool counts = word == "for";
    if (word == "do") {
      const std::size_t past = ends.past_statement(end);
      if (past != kNowhere) ends_of_do.insert(past_spaces(code, past));
    }
    if ((counts || word == "while") && open < code.size() && code[open] == '(') {
      const std::size_t close = ends.past_bracket(open);
      if (close == kNowhere) return loops;
      const std::size_t past = ends_of_do.contains(at) ? close : ends.past_statement(close);
      LoopText loop{line, static_cast<std::uint32_t>(at - line_begin) + 1, at, close, past, {}, {}, {}};
      const std::vector<std::string_view> parts = parts_of(code.substr(open + 1, close - open - 2));
      if (!counts && parts.size() == 1) loop.condition = parts[0];
      if (counts && parts.size() == 3) {
        loop.first = parts[0];
        loop.condition = parts[1];
        loop.step = parts[2];
      }
      loops.push_back(loop);
    }
    at = end;
  }
  return loops;
}

const LoopText* innermost_loop(const std::vector<LoopText>& loops, std::size_t place, std::size_t other) {
  const auto has = [](const LoopText& loop, std::size_t at) { return loop.body <= at && at < loop.end; };
  const LoopText* innermost = nullptr;
  for (const LoopText& loop : loops)
    if (has(loop, place) && has(loop, other)) innermost = &loop;
  return innermost;
}

std::string_view end_of_counting(std::string_view condition, std::string_view counter) {
  const std::size_t begin = past_spaces(condition, 0), end = end_of_word(condition, begin);
  const std::size_t sign = past_spaces(condition, end);
  if (condition.substr(begin, end - begin) != counter || sign >= condition.size()) return {};
  const std::string_view rest = condition.substr(sign);
  if (rest.starts_with("!=")) return rest.substr(2);
  const bool below = rest.starts_with('<') && !rest.starts_with("<<") && !rest.starts_with("<=");
  return below ? rest.substr(1) : std::string_view();
}

std::vector<std::string_view> changed_names(std::string_view text) {
  std::vector<std::string_view> names;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    const std::string_view rest = text.substr(past_spaces(text, at + name.size()));
    constexpr std::array<std::string_view, 12> kSigns{
        "++", "--", "+=", "-=", "*=", "/=", "%=", ">>=", "<<=", "&=", "|=", "^="};
    const bool sets = rest.starts_with('=') && !rest.starts_with("==");
    const bool changed_there =
        std::ranges::any_of(kSigns, [&](std::string_view sign) { return rest.starts_with(sign); });
    const std::size_t last = before_spaces(text, at);
    const bool stepped =
        last != kNowhere && last > 0 && (text[last] == '+' || text[last] == '-') && text[last - 1] == text[last];
    // "int i(0)", "int i{0}", and "&i", through which others may set it
    const std::string_view type = word_before(text, at);
    const bool declared =
        !type.empty() && type != "return" && type != "else" && (rest.starts_with('(') || rest.starts_with('{'));
    const bool lent = last != kNowhere && text[last] == '&' && is_address(text, last);
    if (sets || changed_there || stepped || declared || lent) names.push_back(name);
  });
  return names;
}

std::vector<std::string> counted_subscripts(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return {};
  const std::string_view text = lines[line - 1];
  const auto place = static_cast<std::size_t>(text.data() - code.data());
  // "out[row * width + col] = ...": what stands in the first brackets before the sign.
  const std::size_t sign = text.find('='), open = text.find('[');
  const std::size_t close = open == kNowhere ? open : past_bracket(text, open);
  if (close == kNowhere || sign == kNowhere || close > sign) return {};
  std::vector<LoopText> around;  // the outermost first
  for (const LoopText& loop : loops_of(code))
    if (loop.body <= place + open && place + open < loop.end) around.push_back(loop);
  if (around.empty()) return {};
  NameSet wanted = all_names_in(text.substr(open + 1, close - open - 2));
  wanted.insert(word_before(text, open));  // "row" of "float* row = out + y * width; row[x] = ..."
  add_what_sets(std::string_view(code).substr(around.front().begin, place + open - around.front().begin), wanted);
  std::vector<std::string> found;
  const auto add = [&](std::string_view name) {
    if (wanted.contains(name) && std::ranges::find(found, name) == found.end()) found.emplace_back(name);
  };
  for (const LoopText& loop : around) {
    const std::string_view head = std::string_view(code).substr(loop.begin, loop.body - loop.begin);
    for (const std::string_view name : changed_names(head.substr(std::min(head.find('('), head.size())))) add(name);
    for (const std::string_view name : changed_names(std::string_view(code).substr(loop.body, loop.end - loop.body)))
      if (has_name(loop.condition, name)) add(name);
  }
  return found;
}

std::optional<UnresetCounter> unreset_counter_at(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const auto [first, last] = function_around(code, line);
  return unreset_counter_in(code, [&](std::size_t place) { return first <= place && place < last; });
}

std::optional<UnresetCounter> unreset_counter_in_any(std::string_view code,
                                                     const std::vector<FunctionBody>& functions) {
  return unreset_counter_in(code, [&](std::size_t place) { return function_at(functions, place) != nullptr; });
}

std::optional<SpentLoop> spent_loop_at(std::string_view code, std::uint32_t line) {
  const auto [begin, end] = function_around(code, line);
  std::optional<SpentLoop> found;
  constexpr std::size_t kMostPairs = 64;  // a text may be made to be long to read
  std::size_t tried = 0;
  std::vector<const LoopText*> open;
  const std::vector<LoopText> loops = loops_of(code);
  for (const LoopText& loop : loops) {
    if (loop.begin < begin || loop.begin >= end) continue;
    const LoopText* first = nullptr;  // the outermost of those that end between the last loop and this one
    for (; !open.empty() && open.back()->end <= loop.begin; open.pop_back()) first = open.back();
    open.push_back(&loop);
    if (first == nullptr) continue;
    const std::string_view counter = open_counter(code, loop);
    const bool asks_alike = !counter.empty() && alike_but_for_spaces(first->condition, loop.condition);
    if (asks_alike && ++tried > kMostPairs) return std::nullopt;
    if (!asks_alike || !is_spent_by(code, *first, loop, counter)) continue;
    if (found) return std::nullopt;
    found = {
        {{std::string(counter)}, loop.line, loop.column}, first->line, code.substr(loop.body, loop.end - loop.body)};
  }
  return found;
}

}  // namespace cudalabs
