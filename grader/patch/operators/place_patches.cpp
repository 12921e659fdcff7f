#include "patch/operators/place_patches.h"

#include <string>
#include <string_view>

#include "patch/declarations.h"
#include "patch/operators/patch_operator.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

/// So many statements before a loop are looked at.
constexpr std::size_t kFarthestBefore = 6;

class PlaceChanges : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add_all() {
    for (std::size_t index = 0; index < statements_.all.size(); ++index) {
      const Statement& statement = statements_.all[index];
      const bool is_loop = statement.kind == StatementKind::loop;
      const bool is_branch = statement.kind == StatementKind::branch && statement.otherwise == kNone;
      if ((!is_loop && !is_branch) || statements_.all[statement.body].kind != StatementKind::block) continue;
      take_next_in(index);
      put_last_behind(index);
      if (is_loop && !tokens_[statement.first].is("do")) {
        take_setting_in(index);
        put_setting_before(index);
      }
    }
  }

 private:
  const Block& body_of(const Statement& around) const { return statements_.blocks[statements_.all[around.body].inner]; }
  /// Its words up to its body's brace.
  TokenRange header_of(const Statement& around) const { return {around.first, body_of(around).open}; }
  std::size_t begin_of(std::size_t token) const { return tokens_[token].begin; }

  /// A call for which it matters how often it is made, or whether it is made at all.
  bool counts(const Statement& statement, bool in_loop) const {
    if (!in_loop && tokens_[statement.first].is("__syncthreads")) return true;
    for (const std::string_view name : called_in(tokens_, statement.tokens())) {
      if (is_release(name)) return true;
      if (!name.starts_with("cuda") || name.starts_with("cudaGet") || name == "cudaPeekAtLastError") continue;
      if (in_loop || name.ends_with("Synchronize")) return true;
    }
    return false;
  }

  /// "c[i] = sum;"
  bool stores_element(const Statement& statement) const {
    if (!is_own_name(tokens_, statement.first) || !tokens_[statement.first + 1].is("[")) return false;
    return is_assignment_sign(tokens_[tokens_[statement.first + 1].partner + 1]);
  }

  /// The variable that "x = ...;" sets; empty: it does something else, or uses what it sets.
  std::string_view set_name(const Statement& statement) const {
    if (statement.kind == StatementKind::declaration) {
      const std::vector<Variable> variables = variables_of_declaration(tokens_, statement.first, statement.last + 1);
      const bool is_single =
          variables.size() == 1 && tokens_[variables[0].name + 1].is("=") && !tokens_[statement.first].is("static");
      return is_single ? tokens_[variables[0].name].text : std::string_view();
    }
    if (statement.kind != StatementKind::expression || !is_own_name(tokens_, statement.first)) return {};
    const std::string_view name = tokens_[statement.first].text;
    const bool is_set =
        tokens_[statement.first + 1].is("=") && !uses(tokens_, {statement.first + 1, statement.last}, name);
    return is_set ? name : std::string_view();
  }

  /// "for (...) { ... } c[i] = sum;"
  void take_next_in(std::size_t index) {
    const std::size_t behind = statement_behind(statements_, index);
    if (behind == kNone || statements_.all[behind].kind != StatementKind::expression) return;
    const Statement &around = statements_.all[index], &next = statements_.all[behind];
    const bool may_belong = around.kind == StatementKind::loop
                                ? stores_element(next) && is_fed(next, around)
                                : stores_element(next) || release_in(tokens_, next.tokens()) != kNone;
    if (!may_belong) return;
    const std::string text = text_of(next.tokens());
    const std::size_t brace = begin_of(around.last), begin = begin_of(next.first);
    std::string moved = text + " }";
    moved += source_.code.substr(brace + 1, begin - brace - 1);
    propose(PatchKind::place, brace, begin + text.size(), moved,
            quoted(source_, next.tokens()) + " at the end of the block before it");
  }

  /// The element that it stores is another one in each trip.
  bool is_fed(const Statement& next, const Statement& loop) const {
    for (std::size_t at = next.first + 1; at < tokens_[next.first + 1].partner; ++at) {
      if (is_own_name(tokens_, at) && changes(tokens_, loop.tokens(), tokens_[at].text)) return true;
    }
    return false;
  }

  /// "for (...) { ...; c[i] = sum; }", "if (t < s) { ...; __syncthreads(); }"
  void put_last_behind(std::size_t index) {
    const Statement& around = statements_.all[index];
    const Block& body = body_of(around);
    if (body.statements.size() < 2 || around.block == kNone) return;
    const Statement& last = statements_.all[body.statements.back()];
    if (last.kind != StatementKind::expression) return;
    const bool is_loop = around.kind == StatementKind::loop;
    if (!counts(last, is_loop) && (!is_loop || !stores_element(last))) return;
    if (needs_body(last, around) || (!is_loop && shares_names(around.condition, last))) return;
    const std::string text = text_of(last.tokens());
    const std::size_t begin = begin_of(last.first), brace = begin_of(body.close);
    std::string moved(source_.code.substr(begin + text.size(), brace - begin - text.size()));
    moved += "} " + text;
    propose(PatchKind::place, begin, brace + 1, moved,
            quoted(source_, last.tokens()) + " behind the block that it stands in");
  }

  /// "if (p) { ...; cudaFree(p); }"
  bool shares_names(std::size_t condition, const Statement& last) const {
    for (std::size_t at = condition + 1; at < tokens_[condition].partner; ++at) {
      if (is_own_name(tokens_, at) && uses(tokens_, last.tokens(), tokens_[at].text)) return true;
    }
    return false;
  }

  /// It uses what is declared in the block or by its loop.
  bool needs_body(const Statement& last, const Statement& around) const {
    for (const std::size_t index : body_of(around).statements) {
      if (declares_for(statements_.all[index].tokens(), last)) return true;
    }
    return declares_for({around.condition + 1, header_of(around).last}, last);
  }

  bool declares_for(TokenRange stretch, const Statement& user) const {
    for (const Variable& variable : variables_of_declaration(tokens_, stretch.first, stretch.last + 1)) {
      if (uses(tokens_, user.tokens(), tokens_[variable.name].text)) return true;
    }
    return false;
  }

  /// "int col = x; for (...) { for (; col < n; col += 2) ... }": `col` is set in each trip.
  void take_setting_in(std::size_t index) {
    std::size_t before = statement_before(statements_, index);
    for (std::size_t far = 0; before != kNone && far < kFarthestBefore; ++far) {
      if (belongs_into(statements_.all[before], statements_.all[index]))
        move_in(statements_.all[before], statements_.all[index]);
      before = statement_before(statements_, before);
    }
  }

  bool belongs_into(const Statement& setting, const Statement& loop) const {
    const std::string_view name = set_name(setting);
    if (name.empty() || loop.last <= setting.last) return false;
    const Block& body = body_of(loop);
    const Block& around = statements_.blocks[setting.block];
    if (!uses(tokens_, {body.open, body.close}, name)) return false;
    if (uses(tokens_, {setting.last, body.open}, name) || uses(tokens_, {body.close, around.close}, name)) return false;
    return is_used_up(name, loop) || depends_on_trip(setting, loop);
  }

  /// Only loops in its body change the variable.
  bool is_used_up(std::string_view name, const Statement& loop) const {
    bool is_changed = false;
    for (const std::size_t index : body_of(loop).statements) {
      const Statement& inner = statements_.all[index];
      if (!changes(tokens_, inner.tokens(), name)) continue;
      if (inner.kind != StatementKind::loop) return false;
      is_changed = true;
    }
    return is_changed;
  }

  /// Its value is made of a variable that the loop changes.
  bool depends_on_trip(const Statement& setting, const Statement& loop) const {
    std::size_t at = setting.first;
    while (at < setting.last && !tokens_[at].is("=")) ++at;
    for (; at < setting.last; ++at) {
      if (is_own_name(tokens_, at) && changes(tokens_, loop.tokens(), tokens_[at].text)) return true;
    }
    return false;
  }

  void move_in(const Statement& setting, const Statement& loop) {
    const std::string text = text_of(setting.tokens());
    const std::size_t begin = begin_of(setting.first), brace = begin_of(body_of(loop).open);
    std::string moved(source_.code.substr(begin + text.size(), brace + 1 - begin - text.size()));
    moved += ' ' + text;
    propose(PatchKind::place, begin, brace + 1, moved,
            '`' + std::string(set_name(setting)) + "` set at the start of the loop's body");
  }

  /// "for (...) { sum = 0; sum += x; } f(sum);": `sum` is set once.
  void put_setting_before(std::size_t index) {
    const Statement& loop = statements_.all[index];
    if (loop.block == kNone) return;
    for (const std::size_t inner : body_of(loop).statements) {
      if (belongs_before(inner, loop)) move_before(statements_.all[inner], loop);
    }
  }

  bool belongs_before(std::size_t index, const Statement& loop) const {
    const Statement& setting = statements_.all[index];
    const std::string_view name = set_name(setting);
    if (name.empty() || depends_on_trip(setting, loop) || needs_body(setting, loop, index)) return false;
    const Block& body = body_of(loop);
    if (uses(tokens_, {loop.first, setting.first - 1}, name)) return false;
    if (!changes(tokens_, {setting.last, body.close}, name)) return false;
    if (setting.kind == StatementKind::declaration) return changes_last(setting, body, name);
    return uses(tokens_, {body.close, statements_.blocks[loop.block].close}, name);
  }

  bool needs_body(const Statement& setting, const Statement& loop, std::size_t index) const {
    for (const std::size_t other : body_of(loop).statements) {
      if (other != index && declares_for(statements_.all[other].tokens(), setting)) return true;
    }
    return declares_for({loop.condition + 1, header_of(loop).last}, setting);
  }

  /// The last statement of the body that uses the variable only changes it, for a next trip.
  bool changes_last(const Statement& setting, const Block& body, std::string_view name) const {
    for (std::size_t at = body.statements.size(); at > setting.place + 1; --at) {
      const Statement& statement = statements_.all[body.statements[at - 1]];
      if (!uses(tokens_, statement.tokens(), name)) continue;
      return statement.kind == StatementKind::expression && changes(tokens_, statement.tokens(), name);
    }
    return false;
  }

  void move_before(const Statement& setting, const Statement& loop) {
    const std::string text = text_of(setting.tokens());
    const std::size_t begin = begin_of(loop.first), from = begin_of(setting.first);
    std::string moved = text + ' ';
    moved += source_.code.substr(begin, from - begin);
    propose(PatchKind::place, begin, from + text.size(), moved,
            '`' + std::string(set_name(setting)) + "` set before the loop");
  }
};

}  // namespace

void add_places(const PatchedSource& source, std::vector<Patch>& patches) {
  PlaceChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
