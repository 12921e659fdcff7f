#include "patch/operators/release_patches.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "patch/operators/patch_operator.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestRelease = 200;  // letters
constexpr std::size_t kMostNamed = 2;         // in the words
constexpr std::size_t kMostLookedAt = 100;    // statements behind a way out

class ReleaseChanges : PatchOperator {
 public:
  using PatchOperator::PatchOperator;

  void add_all() {
    for (std::size_t index = 0; index < statements_.all.size(); ++index) {
      const StatementKind kind = statements_.all[index].kind;
      if (kind == StatementKind::leave || kind == StatementKind::jump) release_before(index);
    }
  }

 private:
  /// Up to the outermost block that this way out leaves, what is released behind it.
  void release_before(std::size_t way_out) {
    std::vector<std::size_t> released;
    std::size_t looked_at = 0;
    for (std::size_t at = way_out; at != kNone; at = statements_.all[at].parent) {
      const Statement& around = statements_.all[at];
      if (at != way_out && around.kind == StatementKind::loop && leaves_loop_only(way_out)) break;
      for (std::size_t next = statement_behind(statements_, at); next != kNone;
           next = statement_behind(statements_, next)) {
        if (is_target(way_out, next) || ++looked_at > kMostLookedAt) break;
        if (is_release_statement(next) && is_made_before(next, way_out)) released.push_back(next);
      }
    }
    if (!released.empty()) put_before(way_out, released);
  }

  bool leaves_loop_only(std::size_t way_out) const {
    const Token& word = tokens_[statements_.all[way_out].first];
    return word.is("break") || word.is("continue");
  }

  /// The label that a goto names.
  bool is_target(std::size_t way_out, std::size_t label) const {
    const Statement &leaving = statements_.all[way_out], &self = statements_.all[label];
    return tokens_[leaving.first].is("goto") && self.kind == StatementKind::other && tokens_[self.last].is(":") &&
           tokens_[leaving.first + 1].is(tokens_[self.first].text);
  }

  /// "check(cudaFree(p));", "if (p) cudaFree(p);", "for (auto e : events) cudaEventDestroy(e);"
  bool is_release_statement(std::size_t index) const {
    const Statement& statement = statements_.all[index];
    const TokenRange all{statement.first, statement.last};
    if (length_of(all) > kLongestRelease || release_in(tokens_, all) == kNone) return false;
    if (statement.kind == StatementKind::branch || statement.kind == StatementKind::loop) {
      return statement.otherwise == kNone && is_release_statement(statement.body);
    }
    if (statement.kind == StatementKind::block) {
      const std::vector<std::size_t>& inner = statements_.blocks[statement.inner].statements;
      return std::all_of(inner.begin(), inner.end(), [this](std::size_t at) { return is_release_statement(at); });
    }
    return statement.kind == StatementKind::expression;
  }

  TokenRange call_of(std::size_t release) const {
    const Statement& statement = statements_.all[release];
    if (statement.kind != StatementKind::expression) return {statement.first, statement.last};
    const std::size_t call = release_in(tokens_, {statement.first, statement.last});
    if (tokens_[call].is("delete")) return {call, statement.last - 1};
    return {call, tokens_[call + 1].partner};
  }

  /// One of its names has been given something to free before the way out, and is not freed in the branch that leads to
  /// it.
  bool is_made_before(std::size_t release, std::size_t way_out) const {
    const std::size_t branch = enclosing(statements_, way_out, StatementKind::branch);
    const std::size_t leaving = statements_.all[way_out].first;
    const std::size_t begin = branch == kNone ? leaving : statements_.all[branch].first;
    const std::size_t made_until = std::min(leaving, first_that_fails(branch));
    const std::size_t open = statements_.functions[statements_.all[release].function].open;
    const TokenRange call = call_of(release);
    for (std::size_t at = call.first; at <= call.last; ++at) {
      if (!is_own_name(tokens_, at) || tokens_[at + 1].is("(")) continue;
      const std::string_view name = tokens_[at].text;
      if (is_made(name, {open, made_until}) && !is_released(name, {begin, statements_.all[way_out].last})) return true;
    }
    return false;
  }

  /// Where the call begins whose failure leads into the branch; kNone: it has no call that may have failed.
  std::size_t first_that_fails(std::size_t branch) const {
    if (branch == kNone) return kNone;
    if (!called_in(tokens_, condition_of(branch)).empty()) return statements_.all[branch].first;
    const std::size_t before = statement_before(statements_, branch);
    if (before == kNone) return kNone;
    const Statement& assignment = statements_.all[before];
    for (std::size_t at = assignment.first; at + 1 < assignment.last; ++at) {
      if (!tokens_[at + 1].is("=")) continue;
      return uses(tokens_, condition_of(branch), tokens_[at].text) ? assignment.first : kNone;
    }
    return kNone;
  }

  TokenRange condition_of(std::size_t branch) const {
    const std::size_t open = statements_.all[branch].condition;
    return {open, tokens_[open].partner};
  }

  /// "cudaMalloc(&p, n)", "p = new T[n]", "p = malloc(n)"; tokens up to and without the last.
  bool is_made(std::string_view name, TokenRange stretch) const {
    for (std::size_t at = stretch.first + 1; at < stretch.last; ++at) {
      if (!tokens_[at].is(name)) continue;
      if (tokens_[at - 1].is("&") && tokens_[at - 2].kind != TokenKind::name) return true;
      const bool is_new = tokens_[at + 1].is("=") && (tokens_[at + 2].is("new") || tokens_[at + 2].is("malloc"));
      if (is_new) return true;
    }
    return false;
  }

  bool is_released(std::string_view name, TokenRange stretch) const {
    for (std::size_t at = stretch.first; at < stretch.last; ++at) {
      const bool is_call = (is_release(tokens_[at].text) && tokens_[at + 1].is("(")) || tokens_[at].is("delete");
      if (!is_call) continue;
      const std::size_t end = tokens_[at].is("delete") ? std::min(at + 4, stretch.last) : tokens_[at + 1].partner;
      if (uses(tokens_, {at, end}, name)) return true;
    }
    return false;
  }

  void put_before(std::size_t way_out, const std::vector<std::size_t>& released) {
    const Statement& leaving = statements_.all[way_out];
    std::string text = "{ ", words;
    for (std::size_t at = 0; at < released.size(); ++at) {
      const TokenRange call = call_of(released[at]);
      text += text_of(call);
      text += tokens_[call.last].is(";") || tokens_[call.last].is("}") ? " " : "; ";
      if (at < kMostNamed) words += (at == 0 ? "" : ", ") + quoted(source_, call);
    }
    if (released.size() > kMostNamed) words += ", ...";
    std::replace(text.begin(), text.end(), '\n', ' ');
    text += text_of({leaving.first, leaving.last});
    propose(PatchKind::release, tokens_[leaving.first].begin, tokens_[leaving.last].end(), text + " }",
            words + " before it");
  }
};

}  // namespace

void add_releases(const PatchedSource& source, std::vector<Patch>& patches) {
  ReleaseChanges(source, patches).add_all();
}

}  // namespace cudalabs::patch
