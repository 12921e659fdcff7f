#include "explain/values/sum_line.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "explain/places/cause_line.h"
#include "source/function_head.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "sum" of "sum += a * b;" and "if (k < n) sum = sum + x;"; empty: it stores to something else.
std::string_view assigned_in(std::string_view line) {
  constexpr std::string_view kNotAlone = "=<>!";
  // Behind the head of a loop.
  const std::size_t first = past_spaces(line, 0), word = end_of_word(line, first), open = past_spaces(line, word);
  const bool loops = line.substr(first, word - first) == "for" && open < line.size() && line[open] == '(';
  const std::size_t begin = loops ? past_bracket(line, open) : first;
  if (begin == std::string_view::npos) return {};
  for (std::size_t at = line.find('=', begin); at != std::string_view::npos; at = line.find('=', at + 1)) {
    const bool compares = (at + 1 < line.size() && line[at + 1] == '=') ||
                          (at > 0 && kNotAlone.find(line[at - 1]) != std::string_view::npos);
    if (compares) continue;
    constexpr std::string_view kOperators = "+-*/";
    const bool changes = at > 0 && kOperators.find(line[at - 1]) != std::string_view::npos;
    const std::string_view name = word_before(line, changes ? at - 1 : at);
    const bool alone = !name.empty() && !is_digit(name.front()) &&
                       !is_member(line, static_cast<std::size_t>(name.data() - line.data()));
    return alone ? name : std::string_view();
  }
  return {};
}

bool is_integer_type(std::string_view word) {
  constexpr std::array<std::string_view, 14> kTypes{"int",     "unsigned", "signed",   "long",    "short",
                                                    "char",    "size_t",   "int8_t",   "int16_t", "int32_t",
                                                    "int64_t", "uint8_t",  "uint32_t", "uint64_t"};
  return std::ranges::find(kTypes, word) != kTypes.end();
}

/// "0;", "0u," and "1L;": no point, and nothing that it is added to.
bool begins_with_integer(std::string_view value) {
  std::size_t end = 0;
  while (end < value.size() && is_digit(value[end])) ++end;
  constexpr std::string_view kSuffixes = "uUlL", kEnds = ";,}";
  if (end == 0) return false;
  while (end < value.size() && kSuffixes.find(value[end]) != std::string_view::npos) ++end;
  const std::size_t after = past_spaces(value, end);
  return after < value.size() && kEnds.find(value[after]) != std::string_view::npos;
}

/// What the declaration of the name at `at` says of its type; nothing where it is none, or of no integer.
std::optional<bool> declared_as_integer(std::string_view line, std::size_t at, std::string_view name) {
  const std::string_view type = word_before(line, at);
  if (is_integer_type(type)) return false;
  const std::size_t sign = past_spaces(line, at + name.size());
  const bool has_value = sign < line.size() && (line[sign] == '=' || line[sign] == '{');
  if (type == "auto" && has_value && begins_with_integer(line.substr(past_spaces(line, sign + 1)))) return true;
  // "int count = 0, sum = 0;"
  const std::size_t before = before_spaces(line, at), first = past_spaces(line, 0);
  const bool in_list = type.empty() && before != std::string_view::npos && line[before] == ',' &&
                       line.substr(first, at - first).find_first_of("(;") == std::string_view::npos;
  if (in_list && is_integer_type(line.substr(first, end_of_word(line, first) - first))) return false;
  return std::nullopt;
}

/// "T" of "template <typename T> void k(const T* in, T* out, int n)", of the function that has the line; "float" where
/// its pointers lead to anything else.
std::string type_of_values(std::string_view code, std::uint32_t line) {
  const std::string otherwise = "float";
  const auto function = function_around_line(code, line);
  const auto head = function ? head_of(code, *function) : std::nullopt;
  if (!head) return otherwise;
  std::string type;
  for (const std::string& parameter : function->parameters) {
    if (parameter.find_first_of("*[") == kNowhere) continue;
    const auto is_of = [&](const std::string& name) { return has_name(parameter, name); };
    const auto found = std::ranges::find_if(head->type_names, is_of);
    if (found == head->type_names.end() || (!type.empty() && type != *found)) return otherwise;
    type = *found;
  }
  return type.empty() ? otherwise : type;
}

}  // namespace

std::optional<IntegerSum> integer_sum_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::string_view sum = assigned_in(lines[line - 1]);
  if (sum.empty()) return std::nullopt;
  std::optional<IntegerSum> found;
  const std::uint32_t before = end_of_function_before(lines, line);
  for (std::size_t i = line - 1; i-- > before;) {
    for_each_name(lines[i], [&](std::size_t at, std::string_view name) {
      if (name != sum || found) return;
      if (const auto by_literal = declared_as_integer(lines[i], at, name))
        found = {{{std::string(name)}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1},
                 *by_literal};
    });
    if (found) break;
  }
  if (found) found->type = type_of_values(code, line);
  return found;
}

namespace {

/// "sum" of "c[i] = sum[k];"; empty: no array of the thread is stored.
std::string_view stored_array(std::string_view line, std::uint32_t column) {
  if (column == 0 || column > line.size() || line[column - 1] != '=') return {};
  const std::size_t first = past_spaces(line, column), end = end_of_word(line, first);
  const std::size_t open = past_spaces(line, end);
  return end > first && open < line.size() && line[open] == '[' ? line.substr(first, end - first) : std::string_view();
}

/// "sum[4] = {}", "sum[4]{}", "sum[k] = 0": what stands behind the name of the array sets elements without themselves.
bool sets_elements(std::string_view rest, std::string_view array) {
  std::size_t at = past_spaces(rest, 0);
  if (at >= rest.size() || rest[at] != '[') return false;
  while (at < rest.size() && rest[at] == '[') {
    const std::size_t past = past_bracket(rest, at);
    if (past == std::string_view::npos) return false;
    at = past_spaces(rest, past);
  }
  const std::string_view value = rest.substr(at, rest.find(';', at) - at);
  if (!value.starts_with('{') && (!value.starts_with('=') || value.starts_with("=="))) return false;
  bool depends = false;
  for_each_name(value, [&](std::size_t, std::string_view used) { depends = depends || used == array; });
  return !depends;
}

std::optional<Setting> beginning_of_sums(std::string_view code, const std::vector<std::string_view>& lines,
                                         std::size_t line, std::string_view array) {
  for (std::size_t i = line, after = end_of_function_before(lines, line); i-- > after;) {
    std::optional<Setting> found;
    for_each_name(lines[i], [&](std::size_t at, std::string_view name) {
      if (name != array || !sets_elements(lines[i].substr(at + name.size()), array)) return;
      found = setting_at_place(code, static_cast<std::size_t>(lines[i].data() - code.data()) + at, name);
    });
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Setting> beginning_of_sum(std::string_view source, std::uint32_t line, std::uint32_t column) {
  const std::string text = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(text);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::string_view array = stored_array(lines[line - 1], column);
  if (!array.empty()) return beginning_of_sums(text, lines, line - 1, array);
  const auto sum = setting_of(source, line, column, Part::value);
  if (!sum) return std::nullopt;
  return restart_of(source, sum->names, sum->line, end_of_function_before(lines, sum->line));
}

std::optional<Setting> only_float_declaration(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<Setting> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (name != "float" || !bodies[at].device) return;
    // "float s[", not "(float)x" and "static_cast<float>".
    const std::size_t next = past_spaces(code, at + name.size());
    if (next >= code.size() || !is_word_letter(code[next])) return;
    const Setting declared = setting_at_place(code, at, name);
    several = several || (found && found->line != declared.line);
    if (!found) found = declared;
  });
  return several ? std::nullopt : found;
}

}  // namespace cudalabs
