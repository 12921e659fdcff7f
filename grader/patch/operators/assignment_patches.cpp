#include "patch/operators/assignment_patches.h"

#include <string>
#include <string_view>

#include "patch/local_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

class AssignmentChanges : PatchOperator {
 public:
  AssignmentChanges(const PatchedSource& source, std::vector<Patch>& patches)
      : PatchOperator(source, patches), locals_(local_variables(source)) {}

  void add_all() {
    for (std::size_t index = 0; index < statements_.all.size(); ++index) {
      const Statement& statement = statements_.all[index];
      if (statement.kind != StatementKind::expression) continue;
      if (!is_assignment(statement)) {
        keep_status(index);
      } else if (release_in(tokens_, {statement.first + 2, statement.last}) != kNone) {
        drop_status(statement);
      } else {
        guard_status(index);
      }
    }
  }

 private:
  bool is_assignment(const Statement& statement) const {
    return statement.last > statement.first + 2 && is_own_name(tokens_, statement.first) &&
           tokens_[statement.first + 1].is("=");
  }

  /// "err = cudaFree(p);"
  void drop_status(const Statement& statement) {
    const std::string name(tokens_[statement.first].text);
    propose(PatchKind::assignment, tokens_[statement.first].begin, tokens_[statement.first + 2].begin, "",
            "without `" + name + " =`");
  }

  /// "cudaDeviceSynchronize();"
  void keep_status(std::size_t index) {
    const Statement& statement = statements_.all[index];
    const Token& called = tokens_[statement.first];
    if (!called.text.starts_with("cuda") || is_release(called.text) || called.text.ends_with("LastError")) return;
    const Token& open = tokens_[statement.first + 1];
    if (!open.is("(") || open.partner + 1 != statement.last) return;
    const LocalVariable* status = only_status(index);
    if (status == nullptr) return;
    const Statement& declaration = statements_.all[status->statement];
    const std::size_t end = statements_.blocks[declaration.block].close;
    if (!uses(tokens_, {statement.last, end}, status->name)) return;
    const std::string name(status->name), guard = "if (" + name + " == cudaSuccess) ";
    const bool may_hold_error = tokens_[status->variable.name + 1].is("=") ||
                                changes(tokens_, {declaration.last, statement.first}, status->name);
    const std::string added = (may_hold_error ? guard : std::string()) + name + " = ";
    propose(PatchKind::assignment, called.begin, called.begin, added,
            "`" + added + (added.size() > 30 ? "`" : "...`") + " before the call");
  }

  /// The only variable of type cudaError_t that the statement can use; nullptr: there are several, or none.
  const LocalVariable* only_status(std::size_t index) const {
    const LocalVariable* only = nullptr;
    for (const LocalVariable& variable : locals_) {
      if (!has_type(source_, variable.variable, "cudaError_t") || !is_visible(statements_, variable, index)) continue;
      if (only != nullptr) return nullptr;
      only = &variable;
    }
    const bool can_change =
        only != nullptr && !has_type(source_, only->variable, "const") && !is_pointer(source_, only->variable);
    return can_change ? only : nullptr;
  }

  /// "err = f(); err = g();"
  void guard_status(std::size_t index) {
    const Statement& statement = statements_.all[index];
    const std::string_view name = tokens_[statement.first].text;
    if (called_in(tokens_, value_of(statement)).empty() || uses(tokens_, value_of(statement), name)) return;
    if (!overwrites(index, name)) return;
    const std::string guard = guard_of(index, name);
    if (guard.empty()) return;
    const std::size_t begin = tokens_[statement.first].begin;
    propose(PatchKind::assignment, begin, begin, guard + " ", "`" + guard + "` before it");
  }

  TokenRange value_of(const Statement& assignment) const { return {assignment.first + 2, assignment.last}; }

  /// Something that the variable holds at this place has not been looked at.
  bool overwrites(std::size_t index, std::string_view name) const {
    for (std::size_t at = statement_before(statements_, index); at != kNone; at = statement_before(statements_, at)) {
      const Statement& before = statements_.all[at];
      if (uses(tokens_, {before.first, before.last}, name)) return leaves_status(before, name);
    }
    const std::size_t block = statements_.all[index].parent;
    const std::size_t loop = block == kNone ? kNone : statements_.all[block].parent;
    if (loop == kNone || statements_.all[loop].kind != StatementKind::loop) return false;
    const Statement &around = statements_.all[loop], &self = statements_.all[index];
    return !uses(tokens_, {around.first, self.first - 1}, name) && !uses(tokens_, {self.last, around.last}, name);
  }

  bool leaves_status(const Statement& before, std::string_view name) const {
    if (called_in(tokens_, {before.first, before.last}).empty()) return false;
    if (before.kind == StatementKind::branch) return changes(tokens_, {before.first, before.last}, name);
    if (before.kind == StatementKind::expression) {
      return is_assignment(before) && tokens_[before.first].is(name) && !uses(tokens_, value_of(before), name);
    }
    return before.kind == StatementKind::declaration;
  }

  /// "if (err == cudaSuccess)", "if (ok)", "if (!failed)"; empty: it is none of these.
  std::string guard_of(std::size_t index, std::string_view name) const {
    const LocalVariable* variable = variable_at(statements_, locals_, index, name);
    if (variable == nullptr || is_pointer(source_, variable->variable)) return {};
    const std::string status(name);
    if (has_type(source_, variable->variable, "cudaError_t")) return "if (" + status + " == cudaSuccess)";
    if (!has_type(source_, variable->variable, "bool")) return {};
    const Function& function = statements_.functions[statements_.all[index].function];
    for (std::size_t at = function.open + 1; at + 1 < function.close; ++at) {
      if (!tokens_[at].is(name)) continue;
      const Token &before = tokens_[at - 1], &behind = tokens_[at + 1];
      if (before.is("(") && (behind.is(")") || behind.is("&&"))) return "if (" + status + ")";
      if (before.is("!") && behind.is("&&")) return "if (!" + status + ")";
    }
    return {};
  }

  const std::vector<LocalVariable> locals_;
};

}  // namespace

void add_assignments(const PatchedSource& source, std::vector<Patch>& patches) {
  AssignmentChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
