#include "patch/operators/loop_patches.h"

#include <string_view>

#include "patch/add_patch.h"
#include "patch/declared_variables.h"
#include "patch/statements.h"
#include "patch/token_roles.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

class LoopChanges {
 public:
  LoopChanges(const PatchedSource& source, std::vector<Patch>& patches)
      : source_(source),
        tokens_(source.tokens),
        read_(statements_of(source.tokens)),
        roles_(source.tokens),
        variables_(roles_, source.tokens),
        patches_(patches) {}

  void add_all() {
    for (std::size_t i = 0; i < read_.all.size(); ++i) add_first_value(i);
    for (const Statement& statement : read_.all) {
      const bool is_if = statement.kind == StatementKind::branch && statement.otherwise == kNone;
      const bool is_while = statement.kind == StatementKind::loop && tokens_[statement.first].is("while");
      if ((!is_if && !is_while) || statement.condition != statement.first + 1) continue;
      if (!moves_on(statement) || leaves(statement)) continue;
      const Token& word = tokens_[statement.first];
      const std::string_view other = is_if ? "while" : "if";
      add_patch(source_, PatchKind::loop, word.begin, word.end(), std::string(other),
                is_if ? "`while` in place of `if`" : "`if` in place of `while`", patches_);
    }
  }

 private:
  /// "for (; x < w; ++x)" in another loop, whose next round begins where this one ended: "for (x = 0; x < w; ++x)".
  void add_first_value(std::size_t number) {
    const Statement& statement = read_.all[number];
    const bool is_open = statement.kind == StatementKind::loop && tokens_[statement.first].is("for") &&
                         statement.condition == statement.first + 1 && tokens_[statement.condition + 1].is(";");
    const std::size_t outer = is_open ? enclosing(read_, number, StatementKind::loop) : kNone;
    if (outer == kNone) return;
    const Token& open = tokens_[statement.condition];
    std::size_t asked = statement.condition + 2;
    for (; asked < open.partner && !tokens_[asked].is(";"); ++asked) {
      const std::string_view name = tokens_[asked].text;
      if (tokens_[asked].kind != TokenKind::name || !is_own_name(tokens_, asked)) continue;
      const DeclaredVariable* const counter = variables_.meant_of(name, statement.first);
      const bool begins_before = counter != nullptr && counter->place == VariablePlace::local && counter->has_value() &&
                                 counter->value.last < read_.all[outer].first;
      if (!begins_before || !is_stepped({end_of_question(asked, open.partner), open.partner}, name)) continue;
      const std::string value(text_of(source_, {counter->value.first, counter->value.last}));
      add_patch(source_, PatchKind::loop, open.begin, open.end(), "(" + std::string(name) + " = " + value,
                "`" + std::string(name) + "` set to its first value again at the beginning of the loop", patches_);
    }
  }

  std::size_t end_of_question(std::size_t at, std::size_t end) const {
    while (at < end && !tokens_[at].is(";")) ++at;
    return at;
  }

  /// The body counts a variable of the condition up or down, or computes its next value from the one before.
  bool moves_on(const Statement& statement) const {
    const Statement& body = read_.all[statement.body];
    for (std::size_t at = statement.condition + 1; at < tokens_[statement.condition].partner; ++at) {
      if (!is_own_name(tokens_, at) || tokens_[at + 1].is("(")) continue;
      if (is_stepped({body.first, body.last}, tokens_[at].text)) return true;
    }
    return false;
  }

  bool is_stepped(Stretch stretch, std::string_view name) const {
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
  Stretch value_behind(std::size_t sign, std::size_t last) const {
    std::size_t end = sign + 1;
    while (end < last && !tokens_[end].is(";")) ++end;
    return {sign + 1, end};
  }

  /// The body ends with a way out, or what is asked is whether a call has failed.
  bool leaves(const Statement& statement) const {
    if (uses(tokens_, {statement.condition, tokens_[statement.condition].partner}, "cudaSuccess")) return true;
    const Statement& body = read_.all[statement.body];
    if (body.kind != StatementKind::block) return false;
    const std::vector<std::size_t>& inner = read_.blocks[body.inner].statements;
    if (inner.empty()) return true;
    const StatementKind kind = read_.all[inner.back()].kind;
    return kind == StatementKind::leave || kind == StatementKind::jump;
  }

  const PatchedSource& source_;
  const std::vector<Token>& tokens_;
  const Statements read_;
  const TokenRoles roles_;
  const DeclaredVariables variables_;
  std::vector<Patch>& patches_;
};

}  // namespace

void add_loops(const PatchedSource& source, std::vector<Patch>& patches) {
  LoopChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
