// Statements are read, not run: where one of them may keep the address, nothing is said.
#include "explain/memory/overwritten_pointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"
#include "patch/statements.h"
#include "patch/uses.h"
#include "source/call_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using patch::kNone;
using patch::Statement;
using patch::StatementKind;
using patch::TokenRange;
using How = OverwrittenPointer::How;

constexpr std::string_view kAllocation = "cudaMalloc";

class AllocatedPointer {
 public:
  AllocatedPointer(std::string_view code, std::uint32_t line) : source_(code), read_(source_.statements) {
    const std::string pointer = allocated_pointer(code, line, kAllocation);
    for (std::size_t at = 0; at < tokens().size() && name_.empty(); ++at) {
      if (tokens()[at].line != line || !tokens()[at].is(kAllocation)) continue;
      allocation_ = innermost(at);
      if (allocation_ == kNone) return;
      for (std::size_t name = at; name <= read_.all[allocation_].last && name_.empty(); ++name)
        if (tokens()[name].is(pointer)) name_ = tokens()[name].text;
    }
  }

  std::optional<OverwrittenPointer> overwritten() {
    constexpr std::size_t kMostTokens = 20'000;  // a text may be made to be long to read
    if (name_.empty() || tokens().size() > kMostTokens) return std::nullopt;
    find_releasing_functions();
    const std::size_t loop = enclosing(read_, allocation_, StatementKind::loop);
    return loop == kNone ? overwritten_behind() : overwritten_in_loop(loop);
  }

 private:
  const std::vector<patch::Token>& tokens() const { return source_.tokens; }
  const patch::Function& function() const { return read_.functions[read_.all[allocation_].function]; }

  /// The innermost statement, no block, that has the token.
  std::size_t innermost(std::size_t at) const {
    std::size_t found = kNone;
    for (std::size_t i = 0; i < read_.all.size(); ++i) {
      const Statement& each = read_.all[i];
      if (each.first > at || at > each.last || each.kind == StatementKind::block) continue;
      if (found == kNone || each.last - each.first <= read_.all[found].last - read_.all[found].first) found = i;
    }
    return found;
  }

  void find_releasing_functions() {
    for (const patch::Function& each : read_.functions) {
      const TokenRange body{each.open, each.close};
      if (each.name == kNone) continue;
      if (release_in(tokens(), body) != std::string_view::npos) releasing_.insert(tokens()[each.name].text);
      for (std::size_t at = body.first; at < body.last; ++at)
        if (tokens()[at].is("<<<")) launching_.insert(tokens()[each.name].text);
    }
  }

  /// What is called with the name at `at` as one of its arguments; empty: nothing is.
  std::string_view called_with(std::size_t at) const {
    std::size_t open = at;
    for (std::size_t steps = 0; open > 0 && steps < kMostSteps; ++steps) {
      --open;
      if (tokens()[open].kind == patch::TokenKind::close)
        open = tokens()[open].partner;
      else if (tokens()[open].kind == patch::TokenKind::open || tokens()[open].is(";"))
        break;
    }
    if (!tokens()[open].is("(") || open == 0) return {};
    if (tokens()[open - 1].is(">>>")) return ">>>";
    const bool is_member = open > 1 && (tokens()[open - 2].is(".") || tokens()[open - 2].is("->"));
    return is_member ? std::string_view(".") : tokens()[open - 1].text;
  }

  /// The function is left, or the loop, in the same block, so that what stands before is done once.
  bool leaves_behind(std::size_t at, std::size_t outer) const {
    for (std::size_t each = innermost(at); each != kNone && each != outer; each = read_.all[each].parent) {
      const std::size_t block = read_.all[each].block;
      if (block == kNone) continue;
      if (read_.blocks[block].statement == kNone) return false;
      for (const std::size_t beside : read_.blocks[block].statements) {
        const StatementKind kind = read_.all[beside].kind;
        const bool is_end = kind == StatementKind::leave || (kind == StatementKind::jump && outer != kNone &&
                                                             !tokens()[read_.all[beside].first].is("continue"));
        const bool is_of_outer = read_.all[each].parent == outer;
        if (is_end && !is_of_outer) return true;
      }
    }
    return false;
  }

  bool is_freed_in(TokenRange stretch, std::string_view name, std::size_t outer) const {
    for (std::size_t at = stretch.first; at <= stretch.last; ++at) {
      if (!tokens()[at].is(name) || !is_own_name(tokens(), at)) continue;
      const std::string_view called = called_with(at);
      const bool frees = called.starts_with("cudaFree") || called == "free" || releasing_.contains(called);
      if (frees && !leaves_behind(at, outer)) return true;
    }
    return false;
  }

  /// Only launches, calls of the runtime, conditions and other uses that cannot keep an address have the name there.
  bool may_be_kept_in(TokenRange stretch, std::string_view name) const {
    for (std::size_t at = stretch.first; at <= stretch.last; ++at) {
      if (!tokens()[at].is(name) || !is_own_name(tokens(), at)) continue;
      const std::string_view called = called_with(at);
      const bool is_plain = called == ">>>" || called.starts_with("cuda") || called == "if" || called == "while" ||
                            launching_.contains(called) || releasing_.contains(called);
      const bool is_declared = at > 0 && (tokens()[at - 1].is("*")) && called.empty();
      const bool is_assigned = called.empty() && tokens()[at + 1].is("=");
      const bool is_copied = at > 2 && tokens()[at - 1].is("=") && tokens()[at + 1].is(";") &&
                             (tokens()[at - 3].is(";") || tokens()[at - 3].is("{") || tokens()[at - 3].is("}"));
      const bool is_given_address =
          tokens()[at - 1].is("&") && read_.all[allocation_].first <= at && at <= read_.all[allocation_].last;
      if (!is_plain && !is_declared && !is_assigned && !is_copied && !is_given_address) return true;
    }
    return false;
  }

  /// "scratch = to;": the name that gets the address; empty: the statement is something else.
  std::string_view copied_to(const Statement& statement, std::string_view from) const {
    const std::size_t at = statement.first;
    const bool copies = statement.kind == StatementKind::expression && statement.last == at + 3 &&
                        tokens()[at].kind == patch::TokenKind::name && tokens()[at + 1].is("=") &&
                        tokens()[at + 2].is(from);
    return copies ? tokens()[at].text : std::string_view();
  }

  bool is_declared_in(TokenRange stretch, std::string_view name) const {
    for (std::size_t at = stretch.first + 1; at < stretch.last; ++at)
      if (tokens()[at].is(name) && tokens()[at - 1].is("*") && (tokens()[at + 1].is("=") || tokens()[at + 1].is(";")))
        return true;
    return false;
  }

  /// "T* scratch = nullptr;" before the loop: freeing it in the first round does nothing.
  bool begins_as_null(std::size_t end, std::string_view name) const {
    for (std::size_t at = function().open + 1; at + 3 < end; ++at) {
      if (!tokens()[at].is(name) || !tokens()[at - 1].is("*")) continue;
      const patch::Token& value = tokens()[at + 2];
      return tokens()[at + 1].is("=") && (value.is("nullptr") || value.is("NULL") || value.is("0"));
    }
    return false;
  }

  bool launches_in(std::size_t first, std::size_t last) const {
    for (std::size_t at = first; at <= last; ++at)
      if (tokens()[at].is("<<<") || (tokens()[at + 1].is("(") && launching_.contains(tokens()[at].text))) return true;
    return false;
  }

  OverwrittenPointer at_token(std::string_view name, std::size_t at, How how) const {
    const std::size_t line = source_.code.rfind('\n', tokens()[at].begin);
    const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    return {std::string(name), tokens()[at].line, static_cast<std::uint32_t>(tokens()[at].begin - begin) + 1, how};
  }

  /// The names that get the address in the loop, the pointer's own first; empty: one of them is freed there, or may be
  /// kept elsewhere.
  std::vector<std::string_view> holders_in(TokenRange body, std::size_t loop) const {
    constexpr std::size_t kMostHolders = 8;
    std::vector<std::string_view> holders{name_};
    for (std::size_t i = 0; i < holders.size(); ++i) {
      const std::string_view from = holders[i];
      if (i == kMostHolders || is_freed_in(body, from, loop) || may_be_kept_in(body, from)) return {};
      for (const Statement& each : read_.all) {
        if (each.first < body.first || each.last > body.last) continue;
        const std::string_view to = copied_to(each, from);
        if (!to.empty() && std::ranges::find(holders, to) == holders.end()) holders.push_back(to);
      }
    }
    return holders;
  }

  std::optional<OverwrittenPointer> overwritten_in_loop(std::size_t loop) const {
    const TokenRange body{read_.all[loop].first, read_.all[loop].last};
    const TokenRange behind{body.last + 1, function().close};
    const std::vector<std::string_view> holders = holders_in(body, loop);
    if (holders.size() > 1) return overwritten_holder(holders, body, behind);
    if (holders.empty()) return std::nullopt;
    if (is_declared_in(body, name_)) return at_token(name_, body.first, How::end_of_round);
    // The last round's is used, or freed, behind the loop.
    return uses(tokens(), behind, name_) ? std::nullopt : std::optional(at_token(name_, body.first, How::next_round));
  }

  /// The copy of the pointer that is freed behind the loop, and which no kernel reads behind its assignment.
  std::optional<OverwrittenPointer> overwritten_holder(const std::vector<std::string_view>& holders, TokenRange body,
                                                       TokenRange behind) const {
    std::optional<OverwrittenPointer> found;
    for (const std::string_view holder : holders) {
      if (holder == name_ || !is_freed_in(behind, holder, kNone) || !begins_as_null(body.first, holder)) continue;
      for (const Statement& each : read_.all) {
        if (each.first < body.first || each.last > body.last || copied_to(each, name_) != holder) continue;
        if (found || launches_in(each.last, body.last)) return std::nullopt;
        found = at_token(holder, each.first, How::assigned);
      }
    }
    return found;
  }

  /// Outside of loops: a later statement of the same block.
  std::optional<OverwrittenPointer> overwritten_behind() const {
    std::size_t next = statement_behind(read_, allocation_);
    for (; next != kNone; next = statement_behind(read_, next)) {
      const Statement& each = read_.all[next];
      const TokenRange stretch{each.first, each.last};
      if (is_freed_in(stretch, name_, kNone) || !copied_to(each, name_).empty()) return std::nullopt;
      for (std::size_t at = each.first; at + 1 < each.last; ++at) {
        if (!tokens()[at].is(name_) || !is_own_name(tokens(), at)) continue;
        const bool is_allocated = at > 1 && tokens()[at - 1].is("&") && called_with(at).starts_with(kAllocation);
        const bool is_set = at == each.first && tokens()[at + 1].is("=") && !uses(tokens(), {at + 1, each.last}, name_);
        if (is_allocated || is_set) return at_token(name_, at, How::assigned);
      }
      if (may_be_kept_in(stretch, name_)) return std::nullopt;
    }
    return std::nullopt;
  }

  static constexpr std::size_t kMostSteps = 200;

  const patch::PatchedSource source_;
  const patch::Statements& read_;
  std::size_t allocation_ = kNone;  // the statement
  std::string_view name_;
  std::set<std::string_view> releasing_, launching_;  // functions of the source
};

bool leaks_in_whole_runs(const MergedFinding& finding, const SubmissionRun& submission_run) {
  return std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& case_run) {
    return finding.is_seen_in(case_run.test.spec.name) && !case_run.test.spec.faults.any() &&
           case_run.observed.end == RunEnd::finished;
  });
}

void show_overwritten(MergedFinding& finding, const OverwrittenPointer& lost) {
  const std::string& name = lost.name;
  const SourcePlace place{finding.where.file, lost.line, lost.column};
  switch (lost.how) {
    case How::assigned:
      finding.other = OtherPlace{fmt::format("`{}` gets another address here", name), place, {}, {}};
      finding.help = fmt::format(
          "line {0} gives `{1}` another address, and nothing frees the memory that it has: call `cudaFree({1})` before "
          "that",
          lost.line, name);
      break;
    case How::next_round:
      finding.other =
          OtherPlace{fmt::format("each round of this loop gives `{}` another address", name), place, {}, {}};
      finding.help = fmt::format(
          "the next round gives `{0}` another address, and nothing frees the memory that it has: call `cudaFree({0})` "
          "at the end of each round",
          name);
      break;
    case How::end_of_round:
      finding.other = OtherPlace{fmt::format("`{}` ends with each round of this loop", name), place, {}, {}};
      finding.help = fmt::format(
          "`{0}` ends with each round, and nothing frees the memory that it has: call `cudaFree({0})` at the end of "
          "each round",
          name);
      break;
  }
}

}  // namespace

std::optional<OverwrittenPointer> overwritten_pointer(std::string_view code, std::uint32_t allocated) {
  return AllocatedPointer(code, allocated).overwritten();
}

void show_overwritten_pointers(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                               const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kMemoryLeak && finding.is_in_file(file) && !finding.last_of_call;
    if (!open || !leaks_in_whole_runs(finding, submission_run)) continue;
    if (code.empty()) code = without_comments(source);
    if (const auto lost = overwritten_pointer(code, finding.where.line)) show_overwritten(finding, *lost);
  }
}

}  // namespace cudalabs
