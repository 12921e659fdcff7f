#include "patch/operators/order_patches.h"

#include <string>
#include <string_view>

#include "patch/call_roles.h"
#include "patch/declarations.h"
#include "patch/operators/patch_operator.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestMoved = 600, kLongestNamed = 20;  // letters

bool is_barrier_call(std::string_view name) {
  return name == "__syncthreads" || name == "__syncwarp" || name.starts_with("__threadfence");
}

class OrderChanges : PatchOperator {
 public:
  OrderChanges(const PatchedSource& source, std::vector<Patch>& patches)
      : PatchOperator(source, patches), call_roles_(source) {}

  void add_all() {
    for (std::size_t index = 0; index < statements_.all.size(); ++index) {
      wait_after_record(index);
      const std::size_t behind = statement_behind(statements_, index);
      if (behind == kNone) continue;
      const Statement &first = statements_.all[index], &second = statements_.all[behind];
      if (!can_move(first) || !can_move(second) || declares_for(first, second)) continue;
      const bool on_device = statements_.functions[first.function].on_device;
      const bool matters = on_device ? barrier_matters(first, second) : calls_matter(first, second);
      if (matters || step_matters(first, second) || step_matters(second, first)) exchange(first, second);
    }
  }

 private:
  bool can_move(const Statement& statement) const {
    const bool is_kind = statement.kind == StatementKind::declaration || statement.kind == StatementKind::expression ||
                         statement.kind == StatementKind::branch || statement.kind == StatementKind::loop;
    return is_kind && length_of(statement.tokens()) <= kLongestMoved;
  }

  bool declares_for(const Statement& first, const Statement& second) const {
    if (first.kind != StatementKind::declaration) return false;
    for (const Variable& variable : variables_of_declaration(tokens_, first.first, first.last + 1)) {
      if (uses(tokens_, second.tokens(), tokens_[variable.name].text)) return true;
    }
    return false;
  }

  bool calls_matter(const Statement& first, const Statement& second) const {
    if (only_reports(first) || only_reports(second) || gives_to(first, second)) return false;
    const std::uint32_t before = call_roles_.of(first), behind = call_roles_.of(second);
    if (!CallRoles::may_be_exchanged(before, behind) || call_roles_.names_in(first) == call_roles_.names_in(second))
      return false;
    if (before == kAsks && (behind & kLaunches) != 0 && follows_launch(first)) return false;
    if ((before & kLaunches) != 0 && is_mark(behind)) return is_start(second);
    return (behind & kLaunches) == 0 || !is_mark(before) || !is_start(first);
  }

  /// What is asked for is the error of a launch that stands before.
  bool follows_launch(const Statement& question) const {
    if (question.block == kNone || question.place == 0) return false;
    const std::size_t before = statements_.blocks[question.block].statements[question.place - 1];
    return (call_roles_.of(statements_.all[before]) & kLaunches) != 0;
  }

  /// "err = f(); g(err);"
  bool gives_to(const Statement& first, const Statement& second) const {
    const std::string_view name = assigned_name(first);
    return !name.empty() && assigned_name(second) != name && uses(tokens_, second.tokens(), name);
  }

  std::string_view assigned_name(const Statement& statement) const {
    const bool is_assignment = statement.kind == StatementKind::expression && tokens_[statement.first + 1].is("=");
    return is_assignment ? tokens_[statement.first].text : std::string_view();
  }

  static bool is_mark(std::uint32_t roles) { return roles == kRecords || roles == kReadsClock; }

  /// Of clocks that are read, and events that are recorded: every other one of a function, from the first on, stands
  /// before the work whose time is taken.
  bool is_start(const Statement& mark) const {
    std::size_t earlier = 0;
    for (std::size_t at = statements_.functions[mark.function].open; at < mark.first; ++at) {
      if (tokens_[at].is("now") || tokens_[at].is("cudaEventRecord")) ++earlier;
    }
    return earlier % 2 == 0;
  }

  /// "if (err != cudaSuccess) { fprintf(...); return -1; }"
  bool only_reports(const Statement& statement) const {
    if (statement.kind != StatementKind::branch) return false;
    const TokenRange condition{statement.condition, tokens_[statement.condition].partner};
    return called_in(tokens_, condition).empty() && uses(tokens_, condition, "cudaSuccess") &&
           tokens_[statement.condition + 2].is("!=");
  }

  bool barrier_matters(const Statement& first, const Statement& second) const {
    if (is_barrier(first) == is_barrier(second)) return false;
    const Statement& other = is_barrier(first) ? second : first;
    for (std::size_t at = other.first; at <= other.last; ++at) {
      if (tokens_[at].is("[") || tokens_[at].is("return") || tokens_[at].is("break")) return true;
    }
    return false;
  }

  bool is_barrier(const Statement& statement) const {
    return statement.kind == StatementKind::expression && is_barrier_call(tokens_[statement.first].text);
  }

  /// `step` moves on a variable which `other` uses: "i += 2;", "buffer = 1 - buffer;".
  bool step_matters(const Statement& step, const Statement& other) const {
    if (step.kind != StatementKind::expression || step.last < step.first + 2) return false;
    const bool is_counted = tokens_[step.first].is("++") || tokens_[step.first].is("--");
    const std::size_t name = is_counted ? step.first + 1 : step.first;
    if (!is_own_name(tokens_, name)) return false;
    const Token& sign = tokens_[name + 1];
    const bool is_step = is_counted || sign.is("++") || sign.is("--") || (is_assignment_sign(sign) && !sign.is("=")) ||
                         (sign.is("=") && uses(tokens_, {name + 2, step.last}, tokens_[name].text));
    return is_step && called_in(tokens_, step.tokens()).empty() && uses(tokens_, other.tokens(), tokens_[name].text) &&
           !changes(tokens_, other.tokens(), tokens_[name].text);
  }

  /// "cudaStreamWaitEvent(s, e, 0); k<<<...>>>(p); cudaEventRecord(e, t);": the wait goes behind the record.
  void wait_after_record(std::size_t index) {
    const Statement& wait = statements_.all[index];
    const std::size_t event = event_of(wait, "cudaStreamWaitEvent", 1);
    if (event == kNone) return;
    std::size_t at = statement_behind(statements_, index);
    while (at != kNone && event_of(statements_.all[at], "cudaEventRecord", 0) == kNone)
      at = statement_behind(statements_, at);
    if (at == kNone || at == statement_behind(statements_, index)) return;
    const Statement& record = statements_.all[at];
    const std::size_t recorded = event_of(record, "cudaEventRecord", 0);
    if (!tokens_[recorded].is(tokens_[event].text)) return;
    const std::size_t begin = tokens_[wait.first].begin, end = tokens_[record.last].end();
    const std::string text = text_of(wait.tokens());
    std::string moved(source_.code.substr(begin + text.size(), end - begin - text.size()));
    moved += ' ' + text;
    propose(PatchKind::order, begin, end, moved,
            "`cudaEventRecord(...)` of `" + std::string(tokens_[event].text) + "` before this wait");
  }

  /// The token of the event that a statement with one such call names; kNone: it is no such statement.
  std::size_t event_of(const Statement& statement, std::string_view function, std::size_t argument) const {
    if (statement.kind != StatementKind::expression) return kNone;
    for (std::size_t at = statement.first; at + 1 < statement.last; ++at) {
      if (!tokens_[at].is(function) || !tokens_[at + 1].is("(")) continue;
      std::size_t name = at + 2;
      for (; argument > 0 && name < tokens_[at + 1].partner; ++name) {
        if (tokens_[name].kind == TokenKind::open) name = tokens_[name].partner;
        if (tokens_[name].is(",")) --argument;
      }
      return tokens_[name].kind == TokenKind::name ? name : kNone;
    }
    return kNone;
  }

  void exchange(const Statement& first, const Statement& second) {
    const std::string one = text_of(first.tokens()), other = text_of(second.tokens());
    const std::size_t begin = tokens_[first.first].begin, end = tokens_[second.last].end();
    const std::size_t between = begin + one.size();
    const std::string middle(source_.code.substr(between, end - other.size() - between));
    const std::string now_first = quoted(source_, second.tokens(), kLongestNamed);
    const std::string now_second = quoted(source_, first.tokens(), kLongestNamed);
    const bool are_told_apart = now_first != now_second;
    const std::string words =
        are_told_apart ? now_first + " before " + now_second : "this statement and the next one exchanged";
    std::string text = other;
    text += middle;
    text += one;
    propose(PatchKind::order, begin, end, text, words);
  }

  const CallRoles call_roles_;
};

}  // namespace

void add_orders(const PatchedSource& source, std::vector<Patch>& patches) {
  OrderChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
