#include "patch/operators/barrier_patches.h"

#include <set>
#include <string>
#include <string_view>

#include "patch/local_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

using NameSet = std::set<std::string_view>;

class BarrierChanges : PatchOperator {
 public:
  BarrierChanges(const PatchedSource& source, std::vector<Patch>& patches)
      : PatchOperator(source, patches),
        locals_(local_variables(source)),
        shared_(statements_.functions.size()),
        of_thread_(statements_.functions.size()) {
    for (const LocalVariable& variable : locals_) {
      const Statement& declaration = statements_.all[variable.statement];
      if (has_type(source_, variable.variable, "__shared__")) shared_[declaration.function].insert(variable.name);
      if (is_of_thread(declaration)) of_thread_[declaration.function].insert(variable.name);
    }
  }

  void add_all() {
    for (std::size_t index = 0; index < statements_.all.size(); ++index) {
      const Statement& statement = statements_.all[index];
      const bool is_loop = statement.kind == StatementKind::loop && !tokens_[statement.first].is("do");
      if (!is_loop || !uses_any(statement.tokens(), shared_[statement.function]) || is_diverged(index)) continue;
      add_in_body(index);
      add_before(index);
      add_behind(index);
    }
  }

 private:
  static constexpr std::string_view kBarrier = "__syncthreads();";

  bool uses_any(TokenRange stretch, const NameSet& names) const {
    if (names.empty()) return false;
    for (std::size_t at = stretch.first; at <= stretch.last; ++at) {
      if (is_own_name(tokens_, at) && names.contains(tokens_[at].text)) return true;
    }
    return false;
  }

  /// Its value is made of the thread's number.
  bool is_of_thread(const Statement& declaration) const {
    return uses_any(declaration.tokens(), {"threadIdx"}) ||
           uses_any(declaration.tokens(), of_thread_[declaration.function]);
  }

  bool differs_between_threads(const Statement& around) const {
    const TokenRange condition{around.condition, tokens_[around.condition].partner};
    return uses_any(condition, {"threadIdx"}) || uses_any(condition, of_thread_[around.function]);
  }

  /// It stands in an if or a loop that not all threads run alike.
  bool is_diverged(std::size_t index) const {
    for (std::size_t at = statements_.all[index].parent; at != kNone; at = statements_.all[at].parent) {
      if (statements_.all[at].condition != kNone && differs_between_threads(statements_.all[at])) return true;
    }
    return false;
  }

  bool is_barrier_at(std::size_t index) const {
    return index != kNone && tokens_[statements_.all[index].first].is("__syncthreads");
  }

  bool ends_with_barrier(const Statement& loop) const {
    const Statement& body = statements_.all[loop.body];
    if (body.kind != StatementKind::block) return false;
    const std::vector<std::size_t>& inner = statements_.blocks[body.inner].statements;
    return !inner.empty() && is_barrier_at(inner.back());
  }

  /// At the end of an outermost loop's body, or of one that stores into shared memory.
  void add_in_body(std::size_t index) {
    const Statement& loop = statements_.all[index];
    if (differs_between_threads(loop)) return;
    if (enclosing(statements_, index, StatementKind::loop) != kNone && !stores_shared(loop)) return;
    const Statement& body = statements_.all[loop.body];
    const std::string words = "`__syncthreads()` at the end of the loop's body";
    if (body.kind != StatementKind::block) {
      std::string text = "{ ";
      text += text_of(body.tokens());
      text += " __syncthreads(); }";
      if (body.kind != StatementKind::expression) return;
      propose(PatchKind::place, tokens_[body.first].begin, tokens_[body.last].end(), text, words);
      return;
    }
    if (statements_.blocks[body.inner].statements.empty() || ends_with_barrier(loop)) return;
    const std::size_t brace = tokens_[body.last].begin;
    propose(PatchKind::place, brace, brace, std::string(kBarrier) + " ", words);
  }

  bool stores_shared(const Statement& loop) const {
    for (const std::string_view name : shared_[loop.function]) {
      if (changes(tokens_, loop.tokens(), name)) return true;
    }
    return false;
  }

  void add_before(std::size_t index) {
    const Statement& loop = statements_.all[index];
    const std::size_t before = statement_before(statements_, index);
    if (before == kNone || is_barrier_at(before)) return;
    const Function& function = statements_.functions[loop.function];
    if (!is_touched(shared_[loop.function], {function.open, loop.first - 1})) return;
    const std::size_t begin = tokens_[loop.first].begin;
    propose(PatchKind::place, begin, begin, std::string(kBarrier) + " ", "`__syncthreads()` before the loop");
  }

  /// Used otherwise than in its declaration: with an index, or stored into.
  bool is_touched(const NameSet& names, TokenRange stretch) const {
    for (std::size_t at = stretch.first + 1; at < stretch.last; ++at) {
      if (!is_own_name(tokens_, at) || !names.contains(tokens_[at].text)) continue;
      bool is_declared = false;
      for (const LocalVariable& variable : locals_) is_declared = is_declared || variable.variable.name == at;
      if (!is_declared) return true;
    }
    return false;
  }

  void add_behind(std::size_t index) {
    const Statement& loop = statements_.all[index];
    const std::size_t behind = statement_behind(statements_, index);
    if (behind == kNone || is_barrier_at(behind) || ends_with_barrier(loop) || !is_used_later(loop, behind)) return;
    const std::size_t end = tokens_[loop.last].end();
    propose(PatchKind::place, end, end, " " + std::string(kBarrier), "`__syncthreads()` behind the loop");
  }

  /// Another trip of a loop around it, or what stands behind it, uses shared memory; and no barrier comes before a
  /// loop that stands there, where another patch puts one.
  bool is_used_later(const Statement& loop, std::size_t behind) const {
    const bool is_next_loop = statements_.all[behind].kind == StatementKind::loop;
    if (is_next_loop && uses_any(statements_.all[behind].tokens(), shared_[loop.function])) return false;
    const Function& function = statements_.functions[loop.function];
    return uses_any({loop.last, function.close}, shared_[loop.function]);
  }

  const std::vector<LocalVariable> locals_;
  std::vector<NameSet> shared_, of_thread_;  // of each function
};

}  // namespace

void add_barriers(const PatchedSource& source, std::vector<Patch>& patches) {
  BarrierChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
