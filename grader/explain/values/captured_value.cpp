// What `[=]` and `[k]` capture is copied when the lambda is made.
#include "explain/values/captured_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// More are not looked at: a text may be made to be long to read.
constexpr std::size_t kMostLambdas = 64, kLongestLambda = 2000, kMostCaptured = 32;

/// "term = [=](int i) { ... }": of places in the code.
struct LambdaText {
  std::string_view name, captures, parameters, body;
  std::size_t begin = 0, end = 0;  // of the bracket, and behind the body
};

/// Whose bracket is at `open`, behind the `=` at `sign`.
std::optional<LambdaText> lambda_at(std::string_view code, std::size_t open, std::size_t sign) {
  const std::string_view near = code.substr(0, open + kLongestLambda);
  LambdaText lambda;
  lambda.begin = open;
  const std::size_t close = past_bracket(near, open);
  if (close == kNowhere) return std::nullopt;
  lambda.name = word_before(code, sign);
  lambda.captures = code.substr(open + 1, close - open - 2);
  std::size_t at = past_spaces(near, close);
  if (at < near.size() && near[at] == '(') {
    const std::size_t end = past_bracket(near, at);
    if (end == kNowhere) return std::nullopt;
    lambda.parameters = code.substr(at, end - at);
    at = end;
  }
  const std::size_t brace = near.find_first_of("{;", at);
  if (brace == kNowhere || near[brace] == ';' || has_name(near.substr(at, brace - at), "mutable")) return std::nullopt;
  lambda.end = past_bracket(near, brace);
  if (lambda.end == kNowhere || !is_identifier(lambda.name)) return std::nullopt;
  lambda.body = code.substr(brace, lambda.end - brace);
  return lambda;
}

/// "=" or "k" is among the captures, and "&k" and "k = 0" are not.
bool captures_by_value(std::string_view captures, std::string_view name) {
  bool by_value = false;
  for (const std::string_view item : items_of(captures)) {
    if (item == name || item == "=") by_value = true;
    if (item != name && has_name(item, name)) return false;
  }
  return by_value;
}

/// "k = 1", "k += 2", "++k", "k++" at a place of the name.
bool changes_at(std::string_view code, std::size_t at, std::size_t end) {
  const std::string_view rest = code.substr(std::min(past_spaces(code, end), code.size()));
  if (begins_assignment(rest) || rest.starts_with("++") || rest.starts_with("--")) return true;
  const std::size_t last = before_spaces(code, at);
  return last != kNowhere && last > 0 && (code[last] == '+' || code[last] == '-') && code[last - 1] == code[last];
}

/// Places of a function, by name.
struct NameUses {
  std::map<std::string_view, std::vector<std::size_t>> changed, called;
  std::map<std::string_view, std::vector<std::size_t>> declared;  // "int k", and not "return k"
  std::size_t first_static = kNowhere;

  static bool any_in(const std::map<std::string_view, std::vector<std::size_t>>& places, std::string_view name,
                     std::size_t begin, std::size_t end) {
    const auto known = places.find(name);
    if (known == places.end()) return false;
    const auto first = std::ranges::lower_bound(known->second, begin);
    return first != known->second.end() && *first < end;
  }
};

NameUses uses_in(std::string_view code, const FunctionBody& function) {
  NameUses uses;
  std::string_view before;
  std::size_t end_of_before = 0;
  for_each_name(
      code.substr(function.begin, function.end - function.begin), [&](std::size_t in_body, std::string_view name) {
        const std::size_t at = function.begin + in_body, end = at + name.size(), next = past_spaces(code, end);
        if (changes_at(code, at, end)) uses.changed[name].push_back(at);
        if (next < code.size() && code[next] == '(') uses.called[name].push_back(at);
        const bool behind_word = !before.empty() && past_spaces(code, end_of_before) == at;
        if (behind_word && before != "return" && before != "else") uses.declared[name].push_back(at);
        if (name == "static") uses.first_static = std::min(uses.first_static, at);
        before = name;
        end_of_before = end;
      });
  return uses;
}

/// The line behind the lambda in which the variable changes, with a call of the lambda after it or in the same loop.
std::uint32_t line_of_change(std::string_view code, const FunctionBody& function, const LambdaText& lambda,
                             std::string_view variable, const NameUses& uses, const std::vector<LoopText>& loops) {
  if (!NameUses::any_in(uses.changed, variable, lambda.end, function.end)) return 0;
  const std::size_t change = *std::ranges::lower_bound(uses.changed.at(variable), lambda.end);
  // The loop's head, or what follows in it, changes the variable before the next round.
  const bool in_loop = std::ranges::any_of(loops, [&](const LoopText& loop) {
    return loop.begin >= lambda.end && loop.end <= function.end &&
           NameUses::any_in(uses.changed, variable, loop.begin, loop.end) &&
           NameUses::any_in(uses.called, lambda.name, loop.begin, loop.end);
  });
  const bool sees_old = in_loop || NameUses::any_in(uses.called, lambda.name, change, function.end);
  return sees_old ? line_at(code, change) : 0;
}

/// The variable is one of the function's own, so that it can be captured, and behind the lambda no other has its name.
bool is_own_variable(const FunctionBody& function, const LambdaText& lambda, std::string_view name,
                     const NameUses& uses) {
  const bool given = std::ranges::any_of(function.parameters, [&](const std::string& parameter) {
    return parameter_name(parameter) == name && parameter.find('&') == std::string::npos;
  });
  return (given || NameUses::any_in(uses.declared, name, function.begin, lambda.begin)) &&
         !NameUses::any_in(uses.declared, name, lambda.begin, function.end) && uses.first_static > lambda.begin &&
         !has_name(lambda.parameters, name);
}

}  // namespace

std::optional<CapturedValue> captured_value_at(std::string_view code, std::uint32_t line) {
  const auto function = function_around_line(code, line);
  if (!function) return std::nullopt;
  const std::vector<LoopText> loops = loops_of(code);
  const NameUses uses = uses_in(code, *function);
  std::optional<CapturedValue> found;
  std::size_t tried = 0;
  for (std::size_t open = code.find('[', function->begin); open < function->end; open = code.find('[', open + 1)) {
    const std::size_t sign = before_spaces(code, open);
    if (sign == kNowhere || code[sign] != '=') continue;
    if (++tried > kMostLambdas) return std::nullopt;
    const auto lambda = lambda_at(code, open, sign);
    if (!lambda) continue;
    std::set<std::string_view> names;
    for_each_name(lambda->body, [&](std::size_t, std::string_view name) {
      if (names.size() < kMostCaptured) names.insert(name);
    });
    for (const std::string_view name : names) {
      if (!captures_by_value(lambda->captures, name) || !is_own_variable(*function, *lambda, name, uses)) continue;
      const std::uint32_t changed = line_of_change(code, *function, *lambda, name, uses, loops);
      if (changed == 0) continue;
      if (found) return std::nullopt;
      const Setting place = setting_at_place(code, open, name);
      found = CapturedValue{std::string(lambda->name), std::string(name), place.line, place.column, changed};
    }
  }
  return found;
}

void show_captured_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!finding.is_of_values() || finding.proven || !finding.where.known() || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const auto captured = captured_value_at(code, finding.where.line);
    if (!captured) continue;
    finding.where = {finding.where.file, captured->line, captured->column};
    finding.other = OtherPlace{fmt::format("`{}` changes here, and not in `{}`", captured->variable, captured->lambda),
                               {finding.where.file, captured->changed, 0},
                               {},
                               {}};
    finding.help = fmt::format(
        "the lambda `{0}` captures `{1}` by value: each call of it works with what `{1}` was in line {2}; give it "
        "`{1}` "
        "as a parameter, or capture `{1}` by reference, `[&]`",
        captured->lambda, captured->variable, captured->line);
    finding.proven = true;
  }
}

}  // namespace cudalabs
