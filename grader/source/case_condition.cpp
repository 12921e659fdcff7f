// Split at `||`, then at `&&`, then at the comparison.
#include "source/case_condition.h"

#include <vector>

#include "source/condition_text.h"
#include "text/code_scan.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestCondition = 500;
constexpr int kDeepestCondition = 8;

/// Without brackets around all of it.
std::string_view without_brackets(std::string_view text) {
  text = without_outer_spaces(text);
  while (text.starts_with('(') && past_bracket(text, 0) == text.size())
    text = without_outer_spaces(text.substr(1, text.size() - 2));
  return text;
}

struct Relation {
  std::string_view left, sign, right;
};

/// The only relation outside of brackets; shifts and arrows are none.
std::optional<Relation> relation_of(std::string_view text) {
  std::optional<Relation> found;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at], next = at + 1 < text.size() ? text[at + 1] : ' ';
    depth += letter == '(' || letter == '[' ? 1 : letter == ')' || letter == ']' ? -1 : 0;
    if (depth != 0) continue;
    if ((letter == '<' && next == '<') || (letter == '>' && next == '>') || (letter == '-' && next == '>')) {
      ++at;
      continue;
    }
    const bool equal = (letter == '=' || letter == '!') && next == '=';
    if (!equal && letter != '<' && letter != '>') continue;
    if (found) return std::nullopt;
    const std::size_t length = next == '=' ? 2 : 1;
    found = {text.substr(0, at), text.substr(at, length), text.substr(at + length)};
    at += length - 1;
  }
  return found;
}

bool compare(std::int64_t left, std::string_view sign, std::int64_t right) {
  if (sign == "<") return left < right;
  if (sign == "<=") return left <= right;
  if (sign == ">") return left > right;
  if (sign == ">=") return left >= right;
  return sign == "==" ? left == right : left != right;
}

/// Reads one condition.
class ConditionReader {
 public:
  ConditionReader(std::uint32_t line, const FunctionBody& function, const CaseExpressions& expressions,
                  const std::map<std::string, std::int64_t>& sizes, const LaunchedThread* thread)
      : line_(line), function_(function), expressions_(expressions), sizes_(sizes), thread_(thread) {}

  std::optional<bool> read(std::string_view text, int depth = 0) {
    text = without_brackets(text);
    if (depth > kDeepestCondition || text.empty()) return std::nullopt;
    for (const bool either : {true, false}) {
      const auto parts = parts_of_condition(text, either ? "||" : "&&");
      if (parts.size() > 1) return together(parts, either, depth);
    }
    const auto relation = relation_of(text);
    if (relation) {
      const auto left = value(relation->left), right = value(relation->right);
      return left && right ? std::optional(compare(*left, relation->sign, *right)) : std::nullopt;
    }
    if (text.starts_with('!')) {
      const auto other = read(text.substr(1), depth + 1);
      return other ? std::optional(!*other) : std::nullopt;
    }
    const auto number = value(text);
    return number ? std::optional(*number != 0) : std::nullopt;
  }

  const std::set<std::string>& used() const { return used_; }

 private:
  /// Of `||` one that holds is enough, of `&&` one that does not.
  std::optional<bool> together(const std::vector<std::string_view>& parts, bool either, int depth) {
    bool known = true;
    for (const std::string_view part : parts) {
      const auto holds = read(part, depth + 1);
      if (holds == either) return either;
      known = known && holds;
    }
    return known ? std::optional(!either) : std::nullopt;
  }

  std::optional<std::int64_t> value(std::string_view text) {
    const auto expression = expressions_.of(without_outer_spaces(text), line_, function_);
    if (!expression || expression->counted) return std::nullopt;
    for (const auto& [name, size] : sizes_)
      if (has_name(expression->text, name)) used_.insert(name);
    return value_of(*expression, sizes_, thread_);
  }

  std::uint32_t line_;
  const FunctionBody& function_;
  const CaseExpressions& expressions_;
  const std::map<std::string, std::int64_t>& sizes_;
  const LaunchedThread* thread_;
  std::set<std::string> used_;
};

}  // namespace

CaseCondition condition_in_case(std::string_view condition, std::uint32_t line, const FunctionBody& function,
                                const CaseExpressions& expressions, const std::map<std::string, std::int64_t>& sizes,
                                const LaunchedThread* thread) {
  if (condition.size() > kLongestCondition) return {};
  ConditionReader reader(line, function, expressions, sizes, thread);
  const auto holds = reader.read(condition);
  return {holds, reader.used()};
}

}  // namespace cudalabs
