#include "patch/operators/loop_patches.h"

#include <string_view>

#include "patch/add_patch.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

class LoopChanges {
 public:
  LoopChanges(const PatchedSource& source, std::vector<Patch>& patches)
      : source_(source), tokens_(source.tokens), read_(statements_of(source.tokens)), patches_(patches) {}

  void add_all() {
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
  /// The body counts a variable of the condition up or down, or computes its next value from the one before.
  bool moves_on(const Statement& statement) const {
    const Statement& body = read_.all[statement.body];
    for (std::size_t at = statement.condition + 1; at < tokens_[statement.condition].partner; ++at) {
      if (!is_own_name(tokens_, at) || tokens_[at + 1].is("(")) continue;
      if (is_stepped(body, tokens_[at].text)) return true;
    }
    return false;
  }

  bool is_stepped(const Statement& body, std::string_view name) const {
    for (std::size_t at = body.first; at < body.last; ++at) {
      if (!tokens_[at].is(name) || !is_own_name(tokens_, at)) continue;
      const Token &before = tokens_[at - 1], &sign = tokens_[at + 1];
      if (before.is("++") || before.is("--") || sign.is("++") || sign.is("--")) return true;
      if (!is_assignment_sign(sign)) continue;
      if (!sign.is("=") || uses(tokens_, value_behind(at + 1, body.last), name)) return true;
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
  std::vector<Patch>& patches_;
};

}  // namespace

void add_loops(const PatchedSource& source, std::vector<Patch>& patches) {
  LoopChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
