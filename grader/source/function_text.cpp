// Parentheses and braces are counted; macros stay unseen.
#include "source/function_text.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

std::string_view without_spaces(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
  return begin == kNowhere ? std::string_view() : text.substr(begin, end + 1 - begin);
}

struct Braces {
  std::size_t open = kNowhere, end = kNowhere;  // of the body
};

/// Letters of a function's parameters, brackets included: a text may be made to be long to read.
constexpr std::size_t kLongestParameters = 1000;

/// Past the bracket that closes the parameters at `open`; kNowhere: none does, or only far behind.
std::size_t past_parameters(std::string_view code, std::size_t open) {
  return past_bracket(code.substr(0, std::min(code.size(), open + kLongestParameters)), open);
}

/// What may stand between parameters and a body, in this order.
constexpr std::array<std::string_view, 4> kBehindParameters{"const", "noexcept", "override", "try"};

/// Of a definition whose parameters begin at `open`.
Braces body_after(std::string_view code, std::size_t open) {
  const std::size_t end = past_parameters(code, open);
  if (end == kNowhere) return {};
  std::size_t brace = past_spaces(code, end);
  for (const std::string_view word : kBehindParameters) {
    if (code.substr(brace).starts_with(word)) brace = past_spaces(code, brace + word.size());
  }
  return brace < code.size() && code[brace] == '{' ? Braces{brace, past_bracket(code, brace)} : Braces{};
}

}  // namespace

std::optional<FunctionText> only_function(std::string_view source, std::string_view name) {
  const std::string code = without_comments(source);
  std::optional<FunctionText> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    const bool defined = !several && word == name && open < code.size() && code[open] == '(' &&
                         (at == 0 || code[at - 1] != '~') && body_after(code, open).open != kNowhere;
    if (!defined) return;
    several = several || found;
    const std::size_t end = past_parameters(code, open);
    const std::size_t newline = code.rfind('\n', at);
    const auto parameters = items_of(std::string_view(code).substr(open + 1, end - open - 2));
    found = {line_at(code, at), static_cast<std::uint32_t>(newline == kNowhere ? at + 1 : at - newline),
             std::vector<std::string>(parameters.begin(), parameters.end())};
  });
  return several ? std::nullopt : found;
}

const FunctionBody* function_at(const std::vector<FunctionBody>& functions, std::size_t place) {
  const auto behind = std::ranges::upper_bound(functions, place, {}, &FunctionBody::begin);
  if (behind == functions.begin()) return nullptr;
  const FunctionBody& last = *std::prev(behind);
  return place < last.end ? &last : nullptr;
}

std::optional<FunctionBody> only_body(std::string_view code, std::string_view name) {
  std::optional<FunctionBody> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (several || word != name || open >= code.size() || code[open] != '(' || (at > 0 && code[at - 1] == '~')) return;
    const Braces body = body_after(code, open);
    if (body.open == kNowhere) return;
    several = found || body.end == kNowhere;
    const auto parameters = items_of(code.substr(open + 1, past_parameters(code, open) - open - 2));
    found = FunctionBody{std::string(word), {parameters.begin(), parameters.end()}, body.open, body.end};
  });
  return several ? std::nullopt : found;
}

std::vector<FunctionBody> function_bodies(std::string_view code) {
  const std::vector<BodyPlace> bodies = body_places(code);
  std::vector<FunctionBody> found;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (word == "catch" || bodies[at].inside || open >= code.size() || code[open] != '(') return;
    const Braces body = body_after(code, open);
    if (body.open == kNowhere || body.end == kNowhere) return;
    const auto parameters = items_of(code.substr(open + 1, past_parameters(code, open) - open - 2));
    found.push_back({std::string(word), {parameters.begin(), parameters.end()}, body.open, body.end});
  });
  return found;
}

std::optional<FunctionBody> function_around_line(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const auto begin = static_cast<std::size_t>(lines[line - 1].data() - code.data());
  const std::size_t end = begin + lines[line - 1].size();
  for (FunctionBody& function : function_bodies(code)) {
    if (function.begin <= end && begin < function.end) return std::move(function);
  }
  return std::nullopt;
}

std::string_view defined_around(std::string_view code, std::size_t place) {
  constexpr std::array<std::string_view, 5> kHeads{"if", "for", "while", "switch", "catch"};
  struct Closed {
    std::size_t open = kNowhere, end = 0;
  };
  std::vector<std::size_t> brackets;
  std::vector<std::string_view> names;  // of what each brace belongs to
  Closed last;                          // the bracket that was closed last
  for (std::size_t at = 0; at < std::min(place, code.size()); ++at) {
    const char letter = code[at];
    if (letter == '(') brackets.push_back(at);
    if (letter == ')' && !brackets.empty()) {
      last = {brackets.back(), at + 1};
      brackets.pop_back();
    }
    if (letter == '}' && !names.empty()) names.pop_back();
    if (letter != '{') continue;
    std::size_t behind = last.open == kNowhere ? at : past_spaces(code, last.end);
    for (const std::string_view word : kBehindParameters) {
      if (code.substr(behind).starts_with(word)) behind = past_spaces(code, behind + word.size());
    }
    const std::string_view name = behind == at && last.open != kNowhere ? word_before(code, last.open) : "";
    names.push_back(std::ranges::find(kHeads, name) == kHeads.end() ? name : "");
  }
  const auto innermost =
      std::find_if(names.rbegin(), names.rend(), [](std::string_view name) { return !name.empty(); });
  return innermost == names.rend() ? std::string_view() : *innermost;
}

std::string plain_name(const std::string& kernel) {
  const std::string name = kernel.substr(0, kernel.find('<'));
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::string parameter_name(std::string_view parameter) {
  parameter = parameter.substr(0, parameter.find_first_of("=["));
  const std::string_view name = word_before(parameter, parameter.size());
  const bool is_type = without_spaces(parameter) == name;
  return is_type ? std::string() : std::string(name);
}

bool is_number_parameter(std::string_view parameter) {
  constexpr std::array<std::string_view, 12> kTypes{"const", "unsigned", "signed", "int",    "long", "short",
                                                    "char",  "bool",     "float",  "double", "std",  "size_t"};
  if (parameter.find_first_of("*&[<") != kNowhere) return false;
  const std::string name = parameter_name(parameter);
  bool plain = !name.empty();
  for_each_name(parameter, [&](std::size_t, std::string_view word) {
    plain = plain && (word == name || std::ranges::find(kTypes, word) != kTypes.end());
  });
  return plain;
}

bool is_copy_of(std::string_view parameter, std::string_view type) {
  std::size_t begin = kNowhere;
  for_each_name(parameter, [&](std::size_t at, std::string_view name) {
    if (name == type) begin = std::min(begin, at);
  });
  if (begin == kNowhere) return false;
  const std::string_view before = parameter.substr(0, begin);
  std::string_view after = parameter.substr(begin + type.size());
  if (after.substr(past_spaces(after, 0)).starts_with('<')) {
    const std::size_t end = after.rfind('>');
    after = end == kNowhere ? std::string_view() : after.substr(end + 1);
  }
  return before.find_first_of("*&<:") == kNowhere && after.find_first_of("*&<:") == kNowhere;
}

std::string destructor_around(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  for (std::size_t at = code.find('~'); at != kNowhere; at = code.find('~', at + 1)) {
    const std::size_t name = past_spaces(code, at + 1), end = end_of_word(code, name), open = past_spaces(code, end);
    if (end == name || open >= code.size() || code[open] != '(') continue;
    const Braces body = body_after(code, open);
    if (body.open == kNowhere || body.end == kNowhere) continue;
    if (line_at(code, body.open) <= line && line <= line_at(code, body.end - 1)) return code.substr(name, end - name);
  }
  return {};
}

std::vector<std::string> called_in(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  std::vector<std::string> names;
  if (line == 0 || line > lines.size()) return names;
  const std::string_view text = lines[line - 1];
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (text.substr(past_spaces(text, at + name.size())).starts_with('(')) names.emplace_back(name);
  });
  return names;
}

}  // namespace cudalabs
