#include "source/call_text.h"

#include <algorithm>
#include <set>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// Where the line begins; npos: there is no such line.
std::size_t begin_of_line(std::string_view code, std::uint32_t line) {
  if (line == 0) return kNowhere;
  std::size_t at = 0;
  for (std::uint32_t passed = 1; passed < line; ++passed) {
    at = code.find('\n', at);
    if (at == kNowhere) return kNowhere;
    ++at;
  }
  return at;
}

/// A call: its name, and past its closing bracket.
struct Call {
  std::size_t begin = 0, open = 0, end = 0;
};

std::optional<Call> call_at(std::string_view code, std::size_t at, std::string_view name) {
  const std::size_t open = past_spaces(code, at + name.size());
  if (open >= code.size() || code[open] != '(') return std::nullopt;
  const std::size_t end = past_bracket(code, open);
  if (end == kNowhere) return std::nullopt;
  return Call{at, open, end};
}

/// The end of the statement, or of the head of an `if` or a loop, that begins at `begin`.
std::size_t end_of_statement(std::string_view code, std::size_t begin) {
  int depth = 0;
  for (std::size_t at = begin; at < code.size(); ++at) {
    depth += code[at] == '(' ? 1 : code[at] == ')' ? -1 : 0;
    if (code[at] == ';' || (code[at] == '{' && depth <= 0)) return at;
  }
  return code.size();
}

/// The only call of that name in the statement that begins in the line; "check(cudaMalloc(&p, 4), "cudaMalloc")" has
/// one.
std::optional<Call> call_in_statement(std::string_view code, std::uint32_t line, std::string_view name) {
  const std::size_t begin = begin_of_line(code, line);
  if (begin == kNowhere) return std::nullopt;
  const std::string_view statement = code.substr(begin, end_of_statement(code, begin) - begin);
  std::vector<std::size_t> places;
  for_each_name(statement, [&](std::size_t at, std::string_view word) {
    const std::size_t behind = past_spaces(statement, at + word.size());
    if (word == name && behind < statement.size() && statement[behind] == '(') places.push_back(begin + at);
  });
  return places.size() == 1 ? call_at(code, places.front(), name) : std::nullopt;
}

bool is_pointer_text(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return is_word_letter(letter) || letter == '.' || letter == '-' || letter == '>';
  });
}

/// "d_sums" of "check(cudaMalloc((void**)&d_sums, bytes))", whatever it is; empty: it is no address.
std::string_view allocated_place(std::string_view code, std::uint32_t line, std::string_view name) {
  const auto call = call_in_statement(code, line, name);
  if (!call) return {};
  const auto arguments = items_of(code.substr(call->open + 1, call->end - call->open - 2));
  if (arguments.empty()) return {};
  const std::size_t sign = arguments.front().rfind('&');
  if (sign == kNowhere) return {};
  std::string_view place = without_outer_spaces(arguments.front().substr(sign + 1));
  while (place.ends_with(')')) place = without_outer_spaces(place.substr(0, place.size() - 1));
  return place;
}

std::set<std::string_view> names_in(std::string_view line) {
  std::set<std::string_view> names;
  for_each_name(line, [&](std::size_t, std::string_view name) { names.insert(name); });
  return names;
}

/// "CHECK" of "#define CHECK(call) ..."; empty: the line defines no macro.
std::string_view macro_defined_in(std::string_view line) {
  constexpr std::string_view kDefine = "#define";
  if (!line.starts_with(kDefine)) return {};
  const std::size_t at = past_spaces(line, kDefine.size());
  return line.substr(at, end_of_word(line, at) - at);
}

}  // namespace

ResultUse use_of_result(std::string_view code, std::uint32_t line, std::string_view name) {
  const auto call = call_in_statement(code, line, name);
  if (!call) return ResultUse::unknown;
  const std::size_t behind = past_spaces(code, call->end), before = before_spaces(code, call->begin);
  if (behind >= code.size() || code[behind] != ';') return ResultUse::used;
  if (before == kNowhere) return ResultUse::unknown;
  constexpr std::string_view kEnds = ";{})";  // a bracket closes a condition, or a cast to `void`
  const std::string_view word = word_before(code, call->begin);
  if (kEnds.find(code[before]) != kNowhere || word == "else" || word == "do") return ResultUse::dropped;
  return code[before] == ':' ? ResultUse::unknown : ResultUse::used;
}

std::optional<std::size_t> only_call_in_line(std::string_view code, std::uint32_t line, std::string_view name) {
  const std::size_t begin = begin_of_line(code, line);
  if (begin == kNowhere) return std::nullopt;
  const std::string_view text = code.substr(begin, code.substr(begin).find('\n'));
  std::optional<std::size_t> found;
  bool several = false;
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    const std::size_t behind = past_spaces(text, at + word.size());
    if (word != name || behind >= text.size() || text[behind] != '(') return;
    several = several || found;
    found = begin + at;
  });
  return several ? std::nullopt : found;
}

std::uint32_t later_call(std::string_view code, std::uint32_t line, std::string_view name, std::string_view argument) {
  const auto function = function_around_line(code, line);
  const std::size_t next = begin_of_line(code, line + 1);
  if (!function || next == kNowhere || next >= function->end) return 0;
  std::size_t found = kNowhere, done = 0;  // up to there brackets have been looked at
  const std::string_view rest = code.substr(next, function->end - next);
  for_each_name(rest, [&](std::size_t at, std::string_view word) {
    if (found != kNowhere || word != name || at < done) return;
    const auto call = call_at(rest, at, name);
    done = call ? call->end : rest.size();
    if (!call) return;
    const auto arguments = items_of(rest.substr(call->open + 1, call->end - call->open - 2));
    if (argument.empty() || (arguments.size() == 1 && arguments.front() == argument)) found = next + at;
  });
  return found == kNowhere ? 0 : line_at(code, found);
}

std::string allocated_pointer(std::string_view code, std::uint32_t line, std::string_view name) {
  const std::string_view pointer = allocated_place(code, line, name);
  return is_pointer_text(pointer) ? std::string(pointer) : std::string();
}

std::string allocated_element(std::string_view code, std::uint32_t line, std::string_view name) {
  const std::string_view element = allocated_place(code, line, name);
  const std::size_t open = element.find('[');
  if (open == kNowhere || !is_identifier(element.substr(0, open)) || !element.ends_with(']')) return {};
  const std::string_view number = element.substr(open + 1, element.size() - open - 2);
  return !number.empty() && std::ranges::all_of(number, is_digit) ? std::string(element) : std::string();
}

namespace {

/// A member function of a class, too.
std::optional<FunctionBody> body_around_line(std::string_view code, std::uint32_t line) {
  if (auto function = function_around_line(code, line)) return function;
  const std::size_t place = line == 0 ? kNowhere : place_of_line(code, line, 0);
  const std::string_view name = place == kNowhere ? std::string_view() : defined_around(code, place);
  auto member = name.empty() ? std::nullopt : only_body(code, name);
  return member && member->begin <= place && place < member->end ? member : std::nullopt;
}

}  // namespace

std::uint32_t line_in_function_of(std::string_view code, std::uint32_t anchor, std::uint32_t own, std::uint32_t outer) {
  const auto wanted = body_around_line(code, anchor), around = body_around_line(code, own);
  if (!wanted || !around) return 0;
  if (around->begin == wanted->begin) return own;
  const auto caller = body_around_line(code, outer);
  if (!caller || caller->begin != wanted->begin) return 0;
  const std::vector<std::string> called = called_in(code, outer);
  return std::ranges::find(called, around->name) != called.end() ? outer : 0;
}

std::optional<MacroCall> call_by_macro(std::string_view source, std::uint32_t line, std::string_view name) {
  const std::vector<std::string_view> lines = text_lines(source);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::set<std::string_view> there = names_in(lines[line - 1]);
  if (there.contains(name)) return std::nullopt;
  std::string_view macro;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const std::string_view defined = macro_defined_in(lines[i]); !defined.empty()) {
      macro = defined;
    } else if (i == 0 || !lines[i - 1].ends_with('\\')) {
      macro = {};
    }
    if (!macro.empty() && there.contains(macro) && names_in(lines[i]).contains(name))
      return MacroCall{std::string(macro), static_cast<std::uint32_t>(i) + 1};
  }
  return std::nullopt;
}

}  // namespace cudalabs
