#include "patch/operators/object_life_patches.h"

#include <set>
#include <string>
#include <string_view>

#include "patch/add_patch.h"
#include "patch/declarations.h"
#include "patch/local_variables.h"
#include "patch/program_classes.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

class ObjectLifeChanges {
 public:
  ObjectLifeChanges(const PatchedSource& source, std::vector<Patch>& patches)
      : source_(source),
        tokens_(source.tokens),
        read_(statements_of(source.tokens)),
        classes_(classes_with_destructor(source)),
        patches_(patches) {}

  void add_all() {
    if (classes_.empty()) return;
    for (const LocalVariable& object : local_variables(source_, read_)) {
      if (!is_object(object)) continue;
      end_before_return(object);
      make_before_use(object);
    }
  }

 private:
  /// Of a class with a destructor, neither a pointer nor static.
  bool is_object(const LocalVariable& object) const {
    if (is_pointer(source_, object.variable) || has_type(source_, object.variable, "static")) return false;
    const Statement& statement = read_.all[object.statement];
    if (variables_of_declaration(tokens_, statement.first, statement.last + 1).size() != 1) return false;
    for (std::size_t at = object.variable.type; at < object.variable.type_end; ++at) {
      if (classes_.contains(tokens_[at].text)) return true;
    }
    return false;
  }

  /// "Timer timer(ms); launch(); return ms;": the timer and the launch get a block of their own.
  void end_before_return(const LocalVariable& object) {
    const Statement& declaration = read_.all[object.statement];
    if (declaration.block == kNone) return;
    const std::vector<std::size_t>& around = read_.blocks[declaration.block].statements;
    const Statement& leaving = read_.all[around.back()];
    if (leaving.kind != StatementKind::leave || declaration.place + 2 >= around.size()) return;
    for (std::size_t place = declaration.place; place + 1 < around.size(); ++place) {
      const Statement& inside = read_.all[around[place]];
      if (declares_for(inside, leaving) || inside.kind == StatementKind::leave) return;
    }
    const Stretch life{declaration.first, read_.all[around[around.size() - 2]].last};
    const std::string_view text = text_of(source_, life);
    const std::size_t begin = tokens_[life.first].begin;
    add_patch(source_, PatchKind::place, begin, begin + text.size(), "{ " + std::string(text) + " }",
              "a block `{ }` around the life of `" + std::string(object.name) + "`, before the `return`", patches_);
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
    const Statement& declaration = read_.all[object.statement];
    std::size_t user = statement_behind(read_, object.statement), last_before = kNone;
    while (user != kNone && !uses(tokens_, {read_.all[user].first, read_.all[user].last}, object.name)) {
      last_before = user;
      user = statement_behind(read_, user);
    }
    if (user == kNone || last_before == kNone || !calls_something({declaration.last, read_.all[last_before].last}))
      return;
    const std::size_t begin = tokens_[declaration.first].begin, end = tokens_[read_.all[last_before].last].end();
    const std::string text(text_of(source_, {declaration.first, declaration.last}));
    std::string moved(source_.code.substr(begin + text.size(), end - begin - text.size()));
    moved += ' ' + text;
    add_patch(source_, PatchKind::place, begin, end, moved,
              '`' + std::string(object.name) + "` made right before its first use", patches_);
  }

  bool calls_something(Stretch stretch) const { return !called_in(tokens_, stretch).empty(); }

  const PatchedSource& source_;
  const std::vector<Token>& tokens_;
  const Statements read_;
  const std::set<std::string_view> classes_;
  std::vector<Patch>& patches_;
};

}  // namespace

void add_object_lives(const PatchedSource& source, std::vector<Patch>& patches) {
  ObjectLifeChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
