#include "patch/operators/object_life_patches.h"

#include <set>
#include <string>
#include <string_view>

#include "patch/declarations.h"
#include "patch/local_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/program_classes.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

class ObjectLifeChanges : PatchOperator {
 public:
  ObjectLifeChanges(const PatchedSource& source, std::vector<Patch>& patches)
      : PatchOperator(source, patches), classes_(classes_with_destructor(source)) {}

  void add_all() {
    if (classes_.empty()) return;
    for (const LocalVariable& object : local_variables(source_)) {
      if (!is_object(object)) continue;
      end_before_return(object);
      make_before_use(object);
    }
  }

 private:
  /// Of a class with a destructor, neither a pointer nor static.
  bool is_object(const LocalVariable& object) const {
    if (is_pointer(source_, object.variable) || has_type(source_, object.variable, "static")) return false;
    const Statement& statement = statements_.all[object.statement];
    if (variables_of_declaration(tokens_, statement.first, statement.last + 1).size() != 1) return false;
    for (std::size_t at = object.variable.type; at < object.variable.type_end; ++at) {
      if (classes_.contains(tokens_[at].text)) return true;
    }
    return false;
  }

  /// "Timer timer(ms); launch(); return ms;": the timer and the launch get a block of their own.
  void end_before_return(const LocalVariable& object) {
    const Statement& declaration = statements_.all[object.statement];
    if (declaration.block == kNone) return;
    const std::vector<std::size_t>& around = statements_.blocks[declaration.block].statements;
    const Statement& leaving = statements_.all[around.back()];
    if (leaving.kind != StatementKind::leave || declaration.place + 2 >= around.size()) return;
    for (std::size_t place = declaration.place; place + 1 < around.size(); ++place) {
      const Statement& inside = statements_.all[around[place]];
      if (declares_for(inside, leaving) || inside.kind == StatementKind::leave) return;
    }
    const TokenRange life{declaration.first, statements_.all[around[around.size() - 2]].last};
    const std::string text = text_of(life);
    const std::size_t begin = tokens_[life.first].begin;
    propose(PatchKind::place, begin, begin + text.size(), "{ " + std::string(text) + " }",
            "a block `{ }` around the life of `" + std::string(object.name) + "`, before the `return`");
  }

  bool declares_for(const Statement& statement, const Statement& user) const {
    if (statement.kind != StatementKind::declaration) return false;
    for (const Variable& variable : variables_of_declaration(tokens_, statement.first, statement.last + 1)) {
      if (uses(tokens_, {user.first, user.last}, tokens_[variable.name].text)) return true;
    }
    return false;
  }

  /// "Fence fence; launch(); fence.wait();": the fence goes after the launch.
  void make_before_use(const LocalVariable& object) {
    const Statement& declaration = statements_.all[object.statement];
    std::size_t user = statement_behind(statements_, object.statement), last_before = kNone;
    while (user != kNone && !uses(tokens_, {statements_.all[user].first, statements_.all[user].last}, object.name)) {
      last_before = user;
      user = statement_behind(statements_, user);
    }
    if (user == kNone || last_before == kNone ||
        !calls_something({declaration.last, statements_.all[last_before].last}))
      return;
    const std::size_t begin = tokens_[declaration.first].begin, end = tokens_[statements_.all[last_before].last].end();
    const std::string text = text_of({declaration.first, declaration.last});
    std::string moved(source_.code.substr(begin + text.size(), end - begin - text.size()));
    moved += ' ' + text;
    propose(PatchKind::place, begin, end, moved, '`' + std::string(object.name) + "` made right before its first use");
  }

  bool calls_something(TokenRange stretch) const { return !called_in(tokens_, stretch).empty(); }

  const std::set<std::string_view> classes_;
};

}  // namespace

void add_object_lives(const PatchedSource& source, std::vector<Patch>& patches) {
  ObjectLifeChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
