#include "patch/operators/bound_patches.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "patch/declared_variables.h"
#include "patch/guards.h"
#include "patch/operators/patch_operator.h"
#include "patch/statements.h"
#include "patch/token_roles.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostBounds = 3;          // of an index, that are tried
constexpr std::size_t kLongestAsked = 40;       // tokens
constexpr std::size_t kLongestDecided = 80;     // tokens
constexpr std::size_t kLongestInBrackets = 30;  // tokens
constexpr std::size_t kDeepest = 8;             // conditions, one within the other

class Bounds : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    std::size_t function = kNone;
    for (std::size_t number = 0; number < statements_.all.size(); ++number) {
      const Statement& statement = statements_.all[number];
      if (statement.function == kNone || !statements_.functions[statement.function].on_device) continue;
      if (statement.function != function) {
        function = statement.function;
        guards_ = guards_of(tokens_, statements_.functions[function]);
        read_sizes(statements_.functions[function]);
      }
      if (guards_.empty()) continue;
      if (statement.kind == StatementKind::branch) add_to_branch(number);
      const bool is_plain = statement.kind == StatementKind::expression || statement.kind == StatementKind::declaration;
      if (is_plain) add_to_choices(number);
    }
  }

 private:
  /// Whole numbers that the function is given, and asks for in no guard.
  void read_sizes(const Function& function) {
    sizes_.clear();
    if (function.parameters == kNone) return;
    const std::size_t close = tokens_[function.parameters].partner;
    for (std::size_t at = function.parameters + 2; at < close && sizes_.size() < kMostBounds; ++at) {
      const bool ends = tokens_[at].kind == TokenKind::name && (tokens_[at + 1].is(",") || at + 1 == close);
      const DeclaredVariable* variable = ends ? variables_.meant_of(tokens_[at].text, function.open + 1) : nullptr;
      const bool is_size = variable != nullptr && variable->place == VariablePlace::parameter && variable->is_integer();
      const bool is_asked_for = std::ranges::any_of(
          guards_, [&](const Guard& guard) { return tokens_[guard.bound.first].text == tokens_[at].text; });
      if (is_size && !is_asked_for) sizes_.push_back(tokens_[at].text);
    }
  }

  void add_to_branch(std::size_t number) {
    const Statement& branch = statements_.all[number];
    if (branch.condition == kNone || branch.body == kNone) return;
    const std::size_t close = tokens_[branch.condition].partner;
    const Statement& body = statements_.all[branch.body];
    add_missing(number, {branch.condition + 1, close - 1}, {body.first, body.last});
  }

  /// "column < p ? b[row * p + column] : 0".
  void add_to_choices(std::size_t number) {
    const Statement& statement = statements_.all[number];
    for (std::size_t at = statement.first + 2; at < statement.last; ++at) {
      if (!tokens_[at].is("?")) continue;
      std::size_t first = at;
      while (first > statement.first && at - first <= kLongestAsked && !begins_condition(tokens_[first - 1])) {
        --first;
        if (tokens_[first].kind == TokenKind::close) first = std::max(tokens_[first].partner, statement.first);
      }
      std::size_t end = at + 1;
      while (end < statement.last && end - at <= kLongestDecided && !tokens_[end].is(":")) ++end;
      if (first < at && end > at + 1) add_missing(number, {first, at - 1}, {at + 1, end - 1});
    }
  }

  static bool begins_condition(const Token& token) {
    return token.is("=") || token.is("+=") || token.is(",") || token.is("?") || token.is(":") ||
           token.kind == TokenKind::open;
  }

  void add_missing(std::size_t statement, TokenRange condition, TokenRange decided) {
    const bool is_long = condition.last < condition.first || condition.last - condition.first > kLongestAsked ||
                         decided.last - decided.first > kLongestDecided;
    if (is_long || has_or(condition)) return;
    std::vector<std::string_view> seen;
    for (std::size_t at = decided.first + 1; at <= decided.last; ++at) {
      const std::size_t close = tokens_[at].is("[") ? tokens_[at].partner : at;
      if (close <= at + 2 || close - at > kLongestInBrackets || !is_into_memory(at - 1)) continue;
      if (!has_limited({at + 1, close - 1}, condition)) continue;
      for (std::size_t name = at + 1; name < close; ++name) {
        const std::string_view text = tokens_[name].text;
        const bool is_seen = std::ranges::find(seen, text) != seen.end();
        if (is_seen || !is_index(name, condition) || is_limited(text, statement, condition, decided)) continue;
        seen.push_back(text);
        add_bounds_of(name, condition);
      }
    }
  }

  bool has_or(TokenRange condition) const {
    for (std::size_t at = condition.first; at <= condition.last; ++at) {
      if (tokens_[at].is("||") || tokens_[at].is("?") || tokens_[at].is("!")) return true;
    }
    return false;
  }

  /// A pointer, and no array of the kernel's own.
  bool is_into_memory(std::size_t at) const {
    const DeclaredVariable* variable = is_own_name(tokens_, at) ? variables_.meant_at(at) : nullptr;
    return variable != nullptr && variable->type.ends_with('*');
  }

  /// A variable that the condition can ask for.
  bool is_index(std::size_t at, TokenRange condition) const {
    if (!is_own_name(tokens_, at) || tokens_[at + 1].is("(") || tokens_[at + 1].is("[")) return false;
    const DeclaredVariable* variable = variables_.meant_at(at);
    return variable != nullptr && variable->place == VariablePlace::local && variable->at < condition.first &&
           (variable->is_integer() || variable->type == "auto");
  }

  /// The condition asks for a part of the index already.
  bool has_limited(TokenRange index, TokenRange condition) const {
    return std::ranges::any_of(guards_, [&](const Guard& guard) {
      return is_in(guard.at, condition) && tokens_[guard.at].is("<") && uses(tokens_, index, guard.name);
    });
  }

  static bool is_in(std::size_t at, TokenRange stretch) { return stretch.first <= at && at <= stretch.last; }

  /// By the condition, by one around it or within what it decides, or by a way out before it.
  bool is_limited(std::string_view name, std::size_t statement, TokenRange condition, TokenRange decided) const {
    if (uses(tokens_, condition, name)) return true;
    std::size_t around = statement;
    for (std::size_t depth = 0; depth < kDeepest && around != kNone; ++depth, around = statements_.all[around].parent) {
      const Statement& outer = statements_.all[around];
      if (outer.condition == kNone) continue;
      const TokenRange asked{outer.condition, tokens_[outer.condition].partner};
      if (asked.last - asked.first > kLongestAsked || uses(tokens_, asked, name)) return true;
    }
    return std::ranges::any_of(guards_, [&](const Guard& guard) {
      const bool is_way_out = guard.at < condition.first && tokens_[guard.at].is(">=");
      return guard.name == name && (is_way_out || is_in(guard.at, decided));
    });
  }

  void add_bounds_of(std::size_t index, TokenRange condition) {
    const std::string_view name = tokens_[index].text;
    std::vector<std::string> bounds;
    const auto add_of = [&](const auto& fits) {
      for (const Guard& guard : guards_) {
        const std::string_view size = tokens_[guard.bound.first].text;
        if (!fits(guard) || size == name || variables_.meant_of(size, condition.first) == nullptr) continue;
        std::string bound = text_of(guard.bound);
        if (std::ranges::find(bounds, bound) == bounds.end()) bounds.push_back(std::move(bound));
      }
    };
    const DeclaredVariable* variable = variables_.meant_at(index);
    add_of([&](const Guard& guard) { return guard.name == name; });
    const TokenRange value{variable->value.first, variable->value.last};
    if (bounds.empty() && variable->has_value() && value.last - value.first <= kLongestAsked) {
      add_of([&](const Guard& guard) { return uses(tokens_, value, guard.name); });
    }
    bounds.insert(bounds.end(), sizes_.begin(), sizes_.end());
    add_of([&](const Guard& guard) { return !is_counter(guard); });
    if (bounds.size() > kMostBounds) bounds.resize(kMostBounds);
    for (const std::string& bound : bounds) insert(std::string(name) + " < " + bound, condition);
  }

  /// "for (int k = 0; k < TILE; ++k)": what is asked of a counter is no size of an array.
  bool is_counter(const Guard& guard) const { return tokens_[guard.at - 2].is(";"); }

  void insert(const std::string& comparison, TokenRange condition) {
    if (comparison.size() > kLongestCode || comparison.find('\n') != std::string::npos) return;
    const std::string before = text_of(condition);
    if (before.find('\n') != std::string_view::npos) return;
    const Token& last = tokens_[condition.last];
    propose(PatchKind::connective, last.end(), last.end(), " && " + comparison, "`" + comparison + "` asked as well");
  }

  std::vector<Guard> guards_;            // of the function
  std::vector<std::string_view> sizes_;  // likewise
};

}  // namespace

void add_bounds(const PatchedSource& source, std::vector<Patch>& patches) {
  Bounds(source, patches).add();
}

}  // namespace cudalabs::patch
