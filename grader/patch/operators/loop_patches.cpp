#include "patch/operators/loop_patches.h"

#include <algorithm>
#include <set>
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

class LoopChanges : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add_all() {
    for (std::size_t i = 0; i < statements_.all.size(); ++i) add_first_value(i);
    add_half_values();
    for (const Statement& statement : statements_.all) {
      const bool is_if = statement.kind == StatementKind::branch && statement.otherwise == kNone;
      const bool is_while = statement.kind == StatementKind::loop && tokens_[statement.first].is("while");
      if ((!is_if && !is_while) || statement.condition != statement.first + 1) continue;
      if (!moves_on(statement) || leaves(statement)) continue;
      const Token& word = tokens_[statement.first];
      const std::string_view other = is_if ? "while" : "if";
      propose(PatchKind::loop, word.begin, word.end(), std::string(other),
              is_if ? "`while` in place of `if`" : "`if` in place of `while`");
    }
  }

 private:
  /// "for (int d = warpSize; d > 0; d /= 2)", where the first step goes over half of them: "int d = warpSize / 2". With
  /// a distance of a whole warp each lane gets its own value once more.
  void add_half_values() {
    std::set<std::size_t> changed;  // where the variables are declared
    for (std::size_t at = 1; at + 4 < tokens_.size(); ++at) {
      const DeclaredVariable* const distance = is_halved(at) ? variables_.meant_at(at) : nullptr;
      const bool is_new = distance != nullptr && distance->place == VariablePlace::local && distance->has_value() &&
                          changed.insert(distance->at).second;
      if (!is_new || roles_.last_of_value(distance->value.first) != distance->value.last) continue;
      const Token &first = tokens_[distance->value.first], &last = tokens_[distance->value.last];
      const std::string value = text_of({distance->value.first, distance->value.last});
      if (value.size() > kLongestCode / 2 || first.is("(")) continue;
      const bool is_number = first.kind == TokenKind::number && first.begin == last.begin;
      const std::string half = is_number ? half_of(value) : value + " / 2";
      if (half.empty()) continue;
      propose(PatchKind::number, first.begin, last.end(), half, in_place_of(half, value));
    }
  }

  /// "d /= 2", "d >>= 1", "d = d / 2", "d = d >> 1".
  bool is_halved(std::size_t at) const {
    if (!is_own_name(tokens_, at) || !roles_.in_body(at)) return false;
    const auto halves = [&](std::size_t sign, std::string_view divides, std::string_view shifts) {
      return (tokens_[sign].is(divides) && tokens_[sign + 1].is("2")) ||
             (tokens_[sign].is(shifts) && tokens_[sign + 1].is("1"));
    };
    if (halves(at + 1, "/=", ">>=")) return true;
    return tokens_[at + 1].is("=") && tokens_[at + 2].text == tokens_[at].text && halves(at + 3, "/", ">>");
  }

  /// "16" of "32"; empty: no even number.
  static std::string half_of(const std::string& number) {
    constexpr std::size_t kMostDigits = 6;
    const bool is_plain = number.size() <= kMostDigits &&
                          std::ranges::all_of(number, [](char letter) { return letter >= '0' && letter <= '9'; });
    const int value = is_plain ? std::stoi(number) : 0;
    return value > 0 && value % 2 == 0 ? std::to_string(value / 2) : std::string();
  }

  /// "for (; x < w; ++x)" in another loop, whose next round begins where this one ended: "for (x = 0; x < w; ++x)".
  void add_first_value(std::size_t number) {
    const Statement& statement = statements_.all[number];
    const bool is_open = statement.kind == StatementKind::loop && tokens_[statement.first].is("for") &&
                         statement.condition == statement.first + 1 && tokens_[statement.condition + 1].is(";");
    const std::size_t outer = is_open ? enclosing(statements_, number, StatementKind::loop) : kNone;
    if (outer == kNone) return;
    const Token& open = tokens_[statement.condition];
    std::size_t asked = statement.condition + 2;
    for (; asked < open.partner && !tokens_[asked].is(";"); ++asked) {
      const std::string_view name = tokens_[asked].text;
      if (tokens_[asked].kind != TokenKind::name || !is_own_name(tokens_, asked)) continue;
      const DeclaredVariable* const counter = variables_.meant_of(name, statement.first);
      const bool begins_before = counter != nullptr && counter->place == VariablePlace::local && counter->has_value() &&
                                 counter->value.last < statements_.all[outer].first;
      if (!begins_before || !is_stepped({end_of_question(asked, open.partner), open.partner}, name)) continue;
      const std::string value = text_of({counter->value.first, counter->value.last});
      propose(PatchKind::loop, open.begin, open.end(), "(" + std::string(name) + " = " + value,
              "`" + std::string(name) + "` set to its first value again at the beginning of the loop");
    }
  }

  std::size_t end_of_question(std::size_t at, std::size_t end) const {
    while (at < end && !tokens_[at].is(";")) ++at;
    return at;
  }

  /// The body counts a variable of the condition up or down, or computes its next value from the one before.
  bool moves_on(const Statement& statement) const {
    const Statement& body = statements_.all[statement.body];
    for (std::size_t at = statement.condition + 1; at < tokens_[statement.condition].partner; ++at) {
      if (!is_own_name(tokens_, at) || tokens_[at + 1].is("(")) continue;
      if (is_stepped({body.first, body.last}, tokens_[at].text)) return true;
    }
    return false;
  }

  bool is_stepped(TokenRange stretch, std::string_view name) const {
    for (std::size_t at = stretch.first; at < stretch.last; ++at) {
      if (!tokens_[at].is(name) || !is_own_name(tokens_, at)) continue;
      const Token &before = tokens_[at - 1], &sign = tokens_[at + 1];
      if (before.is("++") || before.is("--") || sign.is("++") || sign.is("--")) return true;
      if (!is_assignment_sign(sign)) continue;
      if (!sign.is("=") || uses(tokens_, value_behind(at + 1, stretch.last), name)) return true;
    }
    return false;
  }

  /// Up to the semicolon.
  TokenRange value_behind(std::size_t sign, std::size_t last) const {
    std::size_t end = sign + 1;
    while (end < last && !tokens_[end].is(";")) ++end;
    return {sign + 1, end};
  }

  /// The body ends with a way out, or what is asked is whether a call has failed.
  bool leaves(const Statement& statement) const {
    if (uses(tokens_, {statement.condition, tokens_[statement.condition].partner}, "cudaSuccess")) return true;
    const Statement& body = statements_.all[statement.body];
    if (body.kind != StatementKind::block) return false;
    const std::vector<std::size_t>& inner = statements_.blocks[body.inner].statements;
    if (inner.empty()) return true;
    const StatementKind kind = statements_.all[inner.back()].kind;
    return kind == StatementKind::leave || kind == StatementKind::jump;
  }
};

}  // namespace

void add_loops(const PatchedSource& source, std::vector<Patch>& patches) {
  LoopChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
