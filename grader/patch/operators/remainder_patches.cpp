#include "patch/operators/remainder_patches.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/statements.h"
#include "patch/token_roles.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

// A text may be made to be long to read.
constexpr std::size_t kMostStatementsBack = 3;
constexpr std::size_t kLongestLookedAt = 400, kLongestAsked = 60, kLongestStep = 12;  // tokens

class Remainders : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add_all() {
    for (std::size_t i = 0; i < statements_.all.size(); ++i) {
      const Statement& statement = statements_.all[i];
      const bool is_if = statement.kind == StatementKind::branch && statement.otherwise == kNone &&
                         statement.condition == statement.first + 1;
      if (is_if && !is_long(statement) && !may_leave(statement)) add_loop(i);
    }
  }

 private:
  static bool is_long(const Statement& statement) { return statement.last - statement.first > kLongestLookedAt; }

  bool may_leave(const Statement& statement) const {
    for (std::size_t at = statement.first; at < statement.last; ++at) {
      if (roles_.is(at, "return") || roles_.is(at, "break") || roles_.is(at, "continue") || roles_.is(at, "goto"))
        return true;
    }
    return false;
  }

  void add_loop(std::size_t number) {
    const Statement &statement = statements_.all[number], &body = statements_.all[statement.body];
    const std::size_t end = tokens_[statement.condition].partner;
    if (end - statement.condition > kLongestAsked) return;
    for (std::size_t at = statement.condition + 1; at < end; ++at) {
      const bool is_limited = is_own_name(tokens_, at) && is_compared(at);
      const TokenRange stretch{body.first, body.last};
      if (!is_limited || !uses(tokens_, stretch, tokens_[at].text) || changes(tokens_, stretch, tokens_[at].text))
        continue;
      const TokenRange step = step_before(number, at);
      if (step.first == kNone) continue;
      for (const std::string& one : steps_of_one(step)) replace(statement, tokens_[at].text, one);
      return;
    }
  }

  /// "i < n", "i + 1 <= n", "n > i".
  bool is_compared(std::size_t at) const {
    const auto asks_less = [&](std::size_t sign) { return roles_.is(sign, "<") || roles_.is(sign, "<="); };
    const auto asks_more = [&](std::size_t sign) { return roles_.is(sign, ">") || roles_.is(sign, ">="); };
    return asks_less(at + 1) || asks_more(at - 1) ||
           (roles_.is(at + 1, "+") && has_number_or_name(at + 2) && asks_less(at + 3));
  }

  bool has_number_or_name(std::size_t at) const {
    return roles_.has_kind(at, TokenKind::number) || roles_.has_kind(at, TokenKind::name);
  }

  /// What a loop before the statement adds to the variable, which nothing changes after that loop; kNone: there is no
  /// such loop.
  TokenRange step_before(std::size_t number, std::size_t name) const {
    const DeclaredVariable* const variable = variables_.meant_at(name);
    const TokenRange none{kNone, kNone};
    if (variable == nullptr || !variable->is_integer()) return none;
    std::size_t before = statement_before(statements_, number);
    for (std::size_t i = 0; i < kMostStatementsBack && before != kNone; ++i) {
      const Statement& statement = statements_.all[before];
      if (is_long(statement)) return none;
      if (statement.kind == StatementKind::loop) {
        const TokenRange step = step_in(statement, *variable);
        if (step.first != kNone) return step;
      }
      if (changes(tokens_, {statement.first, statement.last}, variable->name)) return none;
      before = statement_before(statements_, before);
    }
    return none;
  }

  /// "i += 4 * step", "i = i + 4 * step".
  TokenRange step_in(const Statement& loop, const DeclaredVariable& variable) const {
    for (std::size_t at = loop.first; at + 2 < loop.last; ++at) {
      if (!tokens_[at].is(variable.name) || variables_.meant_at(at) != &variable) continue;
      const bool adds = roles_.is(at + 1, "+=");
      const bool adds_to_itself = roles_.is(at + 1, "=") && roles_.is(at + 2, variable.name) && roles_.is(at + 3, "+");
      if (!adds && !adds_to_itself) continue;
      const std::size_t first = adds ? at + 2 : at + 4;
      std::size_t end = first;
      while (end < loop.last && end - first <= kLongestStep && !ends_step(end)) {
        const std::size_t close = tokens_[end].kind == TokenKind::open ? roles_.partner(end) : end;
        if (close == kNoToken || close > loop.last) return {kNone, kNone};
        end = close + 1;
      }
      if (end > first && ends_step(end)) return {first, end - 1};
    }
    return {kNone, kNone};
  }

  bool ends_step(std::size_t at) const { return roles_.is(at, ";") || roles_.is(at, ",") || roles_.is(at, ")"); }

  /// What one element needs: "4 * step" becomes "step", "4" becomes "1".
  std::vector<std::string> steps_of_one(TokenRange step) const {
    const DeclaredVariable* const named = step.first == step.last ? variables_.meant_at(step.first) : nullptr;
    const bool has_product = named != nullptr && named->has_value() &&
                             named->value.last - named->value.first <= kLongestStep &&
                             !factors_of({named->value.first, named->value.last}).empty();
    const std::vector<TokenRange> factors =
        factors_of(has_product ? TokenRange{named->value.first, named->value.last} : step);
    std::vector<std::string> found;
    if (factors.size() > 1) {
      // The number of elements a round is mostly the first factor, or the last one.
      found.push_back(text_of({factors[1].first, factors.back().last}));
      found.push_back(text_of({factors.front().first, factors[factors.size() - 2].last}));
    } else if (step.first == step.last && !roles_.is(step.first, "1") && has_number_or_name(step.first)) {
      found.emplace_back("1");
    }
    std::erase_if(found, [&](const std::string& text) { return text.find('\n') != std::string::npos; });
    return found;
  }

  /// Of a product; empty: it is something else.
  std::vector<TokenRange> factors_of(TokenRange value) const {
    std::vector<TokenRange> factors;
    std::size_t first = value.first;
    for (std::size_t at = value.first; at <= value.last; ++at) {
      const std::size_t close = tokens_[at].kind == TokenKind::open ? roles_.partner(at) : at;
      if (close == kNoToken || close > value.last) return {};
      if (roles_.is_binary(at) && !roles_.is(at, "*")) return {};
      if (roles_.is_binary(at)) {
        factors.push_back({first, at - 1});
        first = at + 1;
      }
      at = close;
    }
    if (!factors.empty()) factors.push_back({first, value.last});
    return factors;
  }

  void replace(const Statement& statement, std::string_view name, const std::string& step) {
    const Token &word = tokens_[statement.first], &open = tokens_[statement.condition], &close = tokens_[open.partner];
    const std::string condition(source_.code.substr(open.end(), close.begin - open.end()));
    const std::string move = step == "1" ? "++" + std::string(name) : std::string(name) + " += " + step;
    const std::string loop = "for (; " + condition + "; " + move + ")";
    const std::string before = "if (" + condition + ")";
    const std::string words = loop.size() <= kLongestCode ? in_place_of(loop, before)
                                                          : "a loop with the step `" + move + "` in place of `if`";
    if (move.size() > kLongestCode) return;
    propose(PatchKind::loop, word.begin, close.end(), loop, words);
  }
};

}  // namespace

void add_remainders(const PatchedSource& source, std::vector<Patch>& patches) {
  Remainders(source, patches).add_all();
}

}  // namespace cudalabs::patch
