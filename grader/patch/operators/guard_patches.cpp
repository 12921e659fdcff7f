#include "patch/operators/guard_patches.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "patch/declarations.h"
#include "patch/guards.h"
#include "patch/operators/patch_operator.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestGuard = 60;  // letters
constexpr std::size_t kLongestSum = 12;    // tokens

class Guards : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add() {
    std::size_t function = kNone;
    for (const Statement& statement : statements_.all) {
      if (statement.function == kNone || !statements_.functions[statement.function].on_device) continue;
      if (statement.function != function) {
        function = statement.function;
        guards_ = guards_of(tokens_, statements_.functions[function]);
      }
      if (guards_.empty()) continue;
      if (statement.kind == StatementKind::loop && !is_first(statement, "do")) add_in_loop(statement);
      if (statement.kind == StatementKind::expression && is_access(statement)) add_for_sums(statement);
    }
  }

 private:
  bool is_first(const Statement& statement, std::string_view word) const { return tokens_[statement.first].is(word); }

  /// Of what has been asked before the token.
  const Guard* guard_of(std::string_view name, std::size_t before) const {
    const auto found =
        std::ranges::find_if(guards_, [&](const Guard& guard) { return guard.name == name && guard.at < before; });
    return found == guards_.end() ? nullptr : &*found;
  }

  /// "c[i] = ...", "float x = a[i];"
  bool is_access(const Statement& statement) const {
    bool has_index = false;
    for (std::size_t at = statement.first; at <= statement.last; ++at) {
      const Token& token = tokens_[at];
      if (token.kind == TokenKind::name && token.text.starts_with("__sync")) return false;
      const bool follows_value =
          at > statement.first && (tokens_[at - 1].kind == TokenKind::name || tokens_[at - 1].is("]"));
      has_index = has_index || (token.is("[") && follows_value);
    }
    return has_index && !is_first(statement, "__shared__");
  }

  bool has_barrier(TokenRange stretch) const {
    for (std::size_t at = stretch.first; at <= stretch.last; ++at) {
      if (tokens_[at].kind == TokenKind::name && tokens_[at].text.starts_with("__sync")) return true;
    }
    return false;
  }

  void add_in_loop(const Statement& loop) {
    const Statement& body = statements_.all[loop.body];
    std::vector<std::size_t> statements{loop.body};
    if (body.kind == StatementKind::block) statements = statements_.blocks[body.inner].statements;
    std::vector<std::size_t> accesses;
    for (const std::size_t index : statements) {
      const StatementKind kind = statements_.all[index].kind;
      const bool is_plain = kind == StatementKind::expression || kind == StatementKind::declaration;
      if (is_plain && is_access(statements_.all[index])) accesses.push_back(index);
    }
    if (accesses.empty()) return;
    const Statement& access = statements_.all[accesses.front()];
    const bool is_only = accesses.size() == 1 && access.kind == StatementKind::expression;
    if (!is_only && has_barrier(body.tokens())) return;
    add_for_computed(loop, statements, access, is_only);
    add_for_moved(loop, access, is_only);
  }

  /// "const int row = top + s * LINES;" in the loop, where `top` is asked for before it.
  void add_for_computed(const Statement& loop, const std::vector<std::size_t>& statements, const Statement& access,
                        bool is_only) {
    for (const std::size_t index : statements) {
      const Statement& setting = statements_.all[index];
      if (setting.first >= access.first) break;
      if (setting.kind != StatementKind::declaration) continue;
      const std::vector<Variable> variables = variables_of_declaration(tokens_, setting.first, setting.last + 1);
      if (variables.size() != 1 || !tokens_[variables[0].name + 1].is("=")) continue;
      const std::string_view name = tokens_[variables[0].name].text;
      for (std::size_t at = variables[0].name + 2; at < setting.last; ++at) {
        const Guard* guard = is_own_name(tokens_, at) ? guard_of(tokens_[at].text, loop.first) : nullptr;
        const bool is_added = tokens_[at + 1].is("+") || tokens_[at - 1].is("+");
        if (guard == nullptr || !is_added || guard_of(name, access.first) != nullptr) continue;
        const std::string part = summand_in_brackets(at, setting.last);
        insert(access, part.empty() ? std::string(name) : part, text_of(guard->bound), is_only);
        break;
      }
    }
  }

  /// Of "(top + k) * width + column", "top + k", where `top` is at `at`; empty: no brackets are around it, or they have
  /// more in them than a sum.
  std::string summand_in_brackets(std::size_t at, std::size_t end) const {
    std::size_t open = at;
    while (open > 0 && at - open < kLongestSum && !tokens_[open].is("(")) --open;
    if (!tokens_[open].is("(")) return {};
    const std::size_t close = tokens_[open].partner;
    const bool is_around = at < close && close + 1 < end && close - open <= kLongestSum;
    if (!is_around || has_sign_of_list({open + 1, close})) return {};
    return text_of({open + 1, close - 1});
  }

  /// The access uses what the loop's body moves on.
  void add_for_moved(const Statement& loop, const Statement& access, bool is_only) {
    std::vector<std::string_view> seen;
    for (std::size_t at = access.first; at < access.last; ++at) {
      const std::string_view name = tokens_[at].text;
      const bool is_moved = is_own_name(tokens_, at) && moves_on(loop, name);
      if (!is_moved || std::ranges::find(seen, name) != seen.end()) continue;
      seen.push_back(name);
      if (const Guard* guard = guard_of(name, loop.first)) {
        insert(access, std::string(name), text_of(guard->bound), is_only);
      } else if (const std::string bound = bound_of_grid(loop, name); !bound.empty()) {
        insert(access, std::string(name), bound, is_only);
      }
    }
  }

  /// "i += step".
  bool moves_on(const Statement& loop, std::string_view name) const {
    for (std::size_t at = loop.first; at < loop.last; ++at) {
      if (tokens_[at].is(name) && tokens_[at + 1].is("+=") && is_own_name(tokens_, at)) return true;
    }
    return false;
  }

  /// Of a name that has been set to "row * width + column", with both asked for: "(size_t)height * width".
  std::string bound_of_grid(const Statement& loop, std::string_view name) const {
    const Function& function = statements_.functions[loop.function];
    for (std::size_t at = function.open; at + 1 < loop.first; ++at) {
      if (!tokens_[at].is(name) || !tokens_[at + 1].is("=")) continue;
      const Guard *rows = nullptr, *columns = nullptr;
      for (std::size_t value = at + 2; value < loop.first && !tokens_[value].is(";"); ++value) {
        if (!is_own_name(tokens_, value)) continue;
        const Guard* guard = guard_of(tokens_[value].text, loop.first);
        if (guard == nullptr) continue;
        const bool is_factor = tokens_[value + 1].is("*") || (tokens_[value + 1].is(")") && tokens_[value + 2].is("*"));
        (is_factor ? rows : columns) = guard;
      }
      if (rows == nullptr || columns == nullptr || text_of(rows->bound) == text_of(columns->bound)) continue;
      return "(size_t)" + text_of(rows->bound) + " * " + text_of(columns->bound);
    }
    return {};
  }

  /// "c[i + stride] = ...", where only `i` is asked for.
  void add_for_sums(const Statement& access) {
    for (std::size_t at = access.first + 1; at < access.last; ++at) {
      const bool begins = tokens_[at - 1].is("[") || tokens_[at - 1].is("(");
      if (!begins || !is_own_name(tokens_, at) || !tokens_[at + 1].is("+")) continue;
      const Guard* guard = guard_of(tokens_[at].text, access.first);
      const std::size_t close = tokens_[at - 1].partner;
      if (guard == nullptr || close - at > kLongestSum || has_sign_of_list({at, close})) continue;
      if (uses(tokens_, {at, close}, tokens_[guard->bound.last].text)) continue;
      const std::string sum = text_of({at, close - 1});
      const Function& function = statements_.functions[access.function];
      const std::string around = text_of({function.open, access.first});
      if (around.find(sum + " <") == std::string_view::npos) insert(access, sum, text_of(guard->bound), true);
      return;
    }
  }

  bool has_sign_of_list(TokenRange stretch) const {
    for (std::size_t at = stretch.first; at < stretch.last; ++at) {
      if (tokens_[at].is(",") || tokens_[at].is("?") || tokens_[at].is("<")) return true;
    }
    return false;
  }

  /// An `if` before it would take the `else` of another one.
  bool takes_else(const Statement& access) const {
    const Statement* statement = &access;
    while (statement->block == kNone && statement->parent != kNone) {
      statement = &statements_.all[statement->parent];
      if (statement->kind == StatementKind::branch && statement->otherwise != kNone) return true;
    }
    return false;
  }

  /// The statement alone under the condition, or the loop left before it.
  void insert(const Statement& access, const std::string& index, const std::string& bound, bool is_only) {
    const std::string guard =
        is_only ? "if (" + index + " < " + bound + ")" : "if (" + index + " >= " + bound + ") break;";
    if (guard.size() > kLongestGuard || guard.find('\n') != std::string::npos || takes_else(access)) return;
    const std::size_t begin = tokens_[access.first].begin;
    const std::string first(tokens_[access.first].text);
    propose(PatchKind::condition, begin, begin + first.size(), guard + " " + first,
            "`" + guard + "` before " + quoted(source_, access.tokens()));
  }

  std::vector<Guard> guards_;  // of the function
};

}  // namespace

void add_guards(const PatchedSource& source, std::vector<Patch>& patches) {
  Guards(source, patches).add();
}

}  // namespace cudalabs::patch
