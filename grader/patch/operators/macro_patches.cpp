#include "patch/operators/macro_patches.h"

#include <algorithm>
#include <map>
#include <string>

#include "patch/add_patch.h"
#include "patch/macro_definitions.h"
#include "patch/patched_source.h"
#include "source/operator_text.h"
#include "text/code_scan.h"

namespace cudalabs::patch {
namespace {

bool is_whole_in_brackets(std::string_view value) {
  return value.starts_with('(') && past_bracket(value, 0) == value.size();
}

/// The value with parentheses around the parameters that have none; none of a text that is no expression.
std::string with_parameters_in_brackets(const MacroDefinition& macro) {
  std::string text;
  std::size_t done = 0;
  for_each_name(macro.value, [&](std::size_t at, std::string_view name) {
    const std::size_t end = at + name.size();
    if (std::ranges::find(macro.parameters, name) == macro.parameters.end()) return;
    const std::size_t before = before_spaces(macro.value, at), behind = past_spaces(macro.value, end);
    const char left = before == kNowhere ? '\0' : macro.value[before];
    const char right = behind < macro.value.size() ? macro.value[behind] : '\0';
    // A member's name is none, and what is alone in brackets or between commas is whole.
    const bool is_member = left == '.' || right == '(';
    const bool is_whole = (left == '(' || left == ',' || left == '[') && (right == ')' || right == ',' || right == ']');
    if (is_member || is_whole) return;
    text += macro.value.substr(done, at - done);
    text += '(' + std::string(name) + ')';
    done = end;
  });
  return text + std::string(macro.value.substr(done));
}

}  // namespace

void add_macros(const PatchedSource& source, std::vector<Patch>& patches) {
  std::map<std::string_view, std::size_t> definitions;
  const std::vector<MacroDefinition> macros = macro_definitions(source.code);
  if (macros.empty()) return;
  for (const MacroDefinition& macro : macros) ++definitions[macro.name];
  std::map<std::string_view, std::size_t> words;
  for_each_name(source.code, [&](std::size_t, std::string_view name) {
    if (definitions.contains(name)) ++words[name];
  });
  for (const MacroDefinition& macro : macros) {
    if (definitions[macro.name] > 1 || words[macro.name] < 2 || !operators_of(macro.value).arithmetic) continue;
    const bool is_open = operators_of(macro.value).any() && !is_whole_in_brackets(macro.value);
    std::string value = with_parameters_in_brackets(macro);
    const bool has_parameters = value != macro.value;
    if (!is_open && !has_parameters) continue;
    if (is_open) value = '(' + value + ')';
    std::string what = has_parameters ? "the parameters of `" + std::string(macro.name) + "`" : "";
    if (is_open) what += (has_parameters ? " and its whole value" : "the value of `" + std::string(macro.name) + "`");
    add_patch(source, PatchKind::arithmetic, macro.begin, macro.begin + macro.value.size(), std::move(value),
              "parentheses around " + what + ", which is put in as text,", patches);
  }
}

}  // namespace cudalabs::patch
