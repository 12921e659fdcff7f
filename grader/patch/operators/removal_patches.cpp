#include "patch/operators/removal_patches.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "patch/operators/patch_operator.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

class RemovalChanges : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add_all() {
    for (std::size_t index = 0; index < statements_.all.size(); ++index) {
      const Statement& statement = statements_.all[index];
      if (statement.kind == StatementKind::expression) {
        const bool is_needless = is_second_assignment(statement) || is_needless_release(statement) ||
                                 is_needless_wait(statement) || is_barrier_in_branch(index);
        if (is_needless) leave_out(index);
      } else if (statement.kind == StatementKind::jump || statement.kind == StatementKind::leave) {
        if (is_needless_jump(index)) leave_out_jump(index);
      } else if (statement.kind == StatementKind::branch) {
        leave_out_else(statement);
      }
    }
  }

 private:
  const Function& function_of(const Statement& statement) const { return statements_.functions[statement.function]; }

  void leave_out(std::size_t index) {
    const Statement& statement = statements_.all[index];
    const std::string text = text_of(statement.tokens());
    const std::size_t begin = tokens_[statement.first].begin;
    std::string rest = statement.block == kNone ? ";" : "";
    rest.append(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
    propose(PatchKind::removal, begin, begin + text.size(), rest, "without " + quoted(source_, statement.tokens()));
  }

  /// "x = 0;" of a variable that has been set before, or "i += 2;" of one that the loop moves on already.
  bool is_second_assignment(const Statement& statement) const {
    if (statement.block == kNone || !is_own_name(tokens_, statement.first)) return false;
    const std::string_view name = tokens_[statement.first].text;
    if (is_step(statement)) return is_moved_by_loop(statement, name);
    const bool is_simple = tokens_[statement.first + 1].is("=") && statement.last == statement.first + 3;
    if (!is_simple || has_any(statement.tokens(), {"cudaSuccess", "true", "false"})) return false;
    for (std::size_t at = function_of(statement).open; at < statement.first; ++at) {
      if (tokens_[at].is(name) && is_own_name(tokens_, at) && is_assignment_sign(tokens_[at + 1])) return true;
    }
    return false;
  }

  bool is_step(const Statement& statement) const {
    const Token& sign = tokens_[statement.first + 1];
    return sign.is("++") || sign.is("+=") || sign.is("-=") || sign.is("--");
  }

  /// The header of the innermost loop around it changes the variable.
  bool is_moved_by_loop(const Statement& statement, std::string_view name) const {
    std::size_t at = statements_.blocks[statement.block].statement;
    while (at != kNone && statements_.all[at].kind != StatementKind::loop) at = statements_.all[at].parent;
    if (at == kNone) return false;
    std::size_t step = tokens_[statements_.all[at].condition].partner;
    const std::size_t close = step;
    while (step > statements_.all[at].condition && !tokens_[step].is(";")) --step;
    return tokens_[step].is(";") && changes(tokens_, {step, close}, name);
  }

  bool has_any(TokenRange stretch, std::initializer_list<std::string_view> words) const {
    for (std::size_t at = stretch.first; at <= stretch.last; ++at) {
      if (std::find(words.begin(), words.end(), tokens_[at].text) != words.end()) return true;
    }
    return false;
  }

  /// "cudaFree(p);" of a parameter, or of what is released elsewhere in the function.
  bool is_needless_release(const Statement& statement) const {
    const std::size_t call = release_in(tokens_, statement.tokens());
    if (statement.block == kNone || call == kNone || !tokens_[call + 1].is("(") ||
        tokens_[call + 2].kind != TokenKind::name)
      return false;
    const std::string_view object = tokens_[call + 2].text;
    const Function& function = function_of(statement);
    const bool is_parameter = function.parameters != kNone && statements_.blocks[function.body].statements.size() > 2 &&
                              uses(tokens_, {function.parameters, tokens_[function.parameters].partner}, object);
    return is_parameter || is_released_twice(function, statement, object);
  }

  bool is_released_twice(const Function& function, const Statement& statement, std::string_view object) const {
    for (std::size_t index = 0; index < statements_.all.size(); ++index) {
      const Statement& other = statements_.all[index];
      const bool may_run_after =
          other.first > statement.last && other.first < function.close && other.kind == StatementKind::expression;
      if (!may_run_after) continue;
      const std::size_t call = release_in(tokens_, other.tokens());
      if (call == kNone || !tokens_[call + 2].is(object)) continue;
      return !leaves_after(statement);
    }
    return false;
  }

  /// A return or a goto ends the block of the statement.
  bool leaves_after(const Statement& statement) const {
    if (statement.block == kNone) return false;
    const Statement& last = statements_.all[statements_.blocks[statement.block].statements.back()];
    return last.kind == StatementKind::leave || last.kind == StatementKind::jump;
  }

  /// "cudaDeviceSynchronize();", "cudaGetLastError();", whose value is dropped, "cudaMemset(...)".
  bool is_needless_wait(const Statement& statement) const {
    const Token& name = tokens_[statement.first];
    if (!name.text.starts_with("cuda") || !tokens_[statement.first + 1].is("(")) return false;
    return name.text.ends_with("Synchronize") || name.text.starts_with("cudaMemset") || name.is("cudaDeviceReset") ||
           (name.is("cudaGetLastError") && is_asked_again(statement));
  }

  /// The error that it clears is what a later statement of its block, or one around, asks for.
  bool is_asked_again(const Statement& statement) const {
    if (statement.block == kNone || leaves_after(statement)) return false;
    const TokenRange rest{statement.last, statements_.blocks[statement.block].close};
    return has_any(rest, {"cudaGetLastError", "cudaPeekAtLastError"});
  }

  bool is_barrier_in_branch(std::size_t index) const {
    const Token& name = tokens_[statements_.all[index].first];
    return name.is("__syncthreads") && enclosing(statements_, index, StatementKind::branch) != kNone;
  }

  /// "return;" before barriers or shuffles of a kernel, "break;", "continue;", and either behind other statements of a
  /// block.
  bool is_needless_jump(std::size_t index) const {
    const Statement& statement = statements_.all[index];
    if (statement.last != statement.first + 1) return false;
    const std::size_t branch = enclosing(statements_, index, StatementKind::branch);
    if (branch == kNone || asks_for_errors(statements_.all[branch])) return false;
    if (statement.kind == StatementKind::jump) return true;
    const Function& function = function_of(statement);
    if (!function.on_device) return statement.place > 0;
    for (std::size_t at = statement.last; at < function.close; ++at) {
      if (tokens_[at].is("__syncthreads") || tokens_[at].text.starts_with("__shfl")) return true;
    }
    return false;
  }

  bool asks_for_errors(const Statement& branch) const {
    const TokenRange condition{branch.condition, tokens_[branch.condition].partner};
    if (uses(tokens_, condition, "cudaSuccess") || !called_in(tokens_, condition).empty()) return true;
    return has_any({branch.condition, branch.last}, {"fprintf", "printf", "cerr", "cudaGetErrorString"}) ||
           tokens_[branch.condition + 1].is("!");
  }

  /// With its if, where it is all that this has.
  void leave_out_jump(std::size_t index) {
    const Statement& jump = statements_.all[index];
    const std::size_t around = jump.block == kNone ? jump.parent : statements_.blocks[jump.block].statement;
    const bool is_alone = jump.block == kNone || statements_.blocks[jump.block].statements.size() == 1;
    if (!is_alone) {
      leave_out(index);
      return;
    }
    const std::size_t branch = jump.block == kNone || around == kNone ? around : statements_.all[around].parent;
    const bool can_go = branch != kNone && statements_.all[branch].kind == StatementKind::branch &&
                        statements_.all[branch].otherwise == kNone && statements_.all[branch].block != kNone;
    if (can_go) leave_out(branch);
  }

  /// "if (a) f(); else g();"
  void leave_out_else(const Statement& branch) {
    if (branch.otherwise == kNone || always_leaves(branch.body)) return;
    const std::size_t otherwise = statements_.all[branch.otherwise].first - 1;
    if (!tokens_[otherwise].is("else") || asks_for_errors(branch)) return;
    if (branch.block == kNone) return;
    const std::size_t begin = tokens_[otherwise].begin, end = tokens_[otherwise + 1].begin;
    const std::string_view gap = source_.code.substr(begin, end - begin);
    propose(PatchKind::removal, begin, end,
            std::string(static_cast<std::size_t>(std::count(gap.begin(), gap.end(), '\n')), '\n'), "without `else`");
  }

  bool always_leaves(std::size_t index) const {
    const Statement& statement = statements_.all[index];
    if (statement.kind == StatementKind::block) {
      const std::vector<std::size_t>& inner = statements_.blocks[statement.inner].statements;
      return !inner.empty() && always_leaves(inner.back());
    }
    return statement.kind == StatementKind::leave || statement.kind == StatementKind::jump;
  }
};

}  // namespace

void add_removals(const PatchedSource& source, std::vector<Patch>& patches) {
  RemovalChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
