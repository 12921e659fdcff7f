// Statements are read as text; that the second one was executed is known from the calls that were made.
#include "explain/errors/overwritten_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "check/way_out.h"
#include "source/call_text.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A longer statement is not read.
constexpr std::size_t kLongestStatement = 500;

constexpr std::array<std::string_view, 8> kOfFailures{
    finding_ids::kNullPointerDereference, finding_ids::kHostPointerDereference,
    finding_ids::kUncheckedLaunch,        finding_ids::kUnwrittenOutput,
    finding_ids::kResultMismatch,         finding_ids::kNonfiniteResult,
    finding_ids::kUninitializedRead,      finding_ids::kRuntimeError};

/// "ok = ...;" or "bool ok = ...;": where the statement begins, its variable, and its semicolon.
struct Assignment {
  std::size_t begin = 0, variable = 0, sign = 0, end = 0;
  std::string_view name;
};

/// The place of the semicolon that ends the statement at `at`, outside of brackets; kNowhere: a bracket ends first.
std::size_t end_of_statement(std::string_view code, std::size_t at) {
  int depth = 0;
  const std::size_t most = std::min(code.size(), at + kLongestStatement);
  for (; at < most; ++at) {
    if (code[at] == ';' && depth == 0) return at;
    if (std::string_view("({[").find(code[at]) != kNowhere) ++depth;
    if (std::string_view(")}]").find(code[at]) != kNowhere && --depth < 0) return kNowhere;
  }
  return kNowhere;
}

/// Nothing but words, which may be qualified: a type and a name, or a name alone.
bool is_target(std::string_view text) {
  constexpr std::array<std::string_view, 4> kNoTypes{"else", "return", "do", "throw"};
  bool words = std::ranges::all_of(
      text, [](char letter) { return is_word_letter(letter) || letter == ':' || letter == ' ' || letter == '\n'; });
  for_each_name(text, [&](std::size_t, std::string_view word) {
    words = words && std::ranges::find(kNoTypes, word) == kNoTypes.end();
  });
  return words;
}

std::optional<Assignment> assignment_from(std::string_view code, std::size_t begin) {
  const std::size_t end = end_of_statement(code, begin);
  if (end == kNowhere) return std::nullopt;
  const std::size_t sign = begin + std::min(code.substr(begin, end - begin).find('='), end - begin);
  if (sign == end || code[sign + 1] == '=') return std::nullopt;
  const std::string_view target = code.substr(begin, sign - begin), name = word_before(code, sign);
  const bool plain = !name.empty() && is_identifier(name) && is_target(target);
  if (!plain) return std::nullopt;
  return Assignment{begin, static_cast<std::size_t>(name.data() - code.data()), sign, end, name};
}

/// The assignment of what the call at `call` returns.
std::optional<Assignment> storing_statement(std::string_view code, std::size_t call) {
  const std::size_t before = call == 0 ? kNowhere : code.find_last_of(";{}", call - 1);
  if (before == kNowhere || call - before > kLongestStatement) return std::nullopt;
  const auto found = assignment_from(code, past_spaces(code, before + 1));
  const bool holds = found && found->sign < call && call < found->end;
  if (!holds || code.substr(found->sign, found->end - found->sign).find_first_of("?{") != kNowhere) return std::nullopt;
  return found;
}

/// What a variable of the function is declared as: "bool" of "const bool ok"; empty: nothing that keeps a status.
std::string_view status_type(std::string_view body, std::string_view name) {
  constexpr std::array<std::string_view, 5> kTypes{"bool", "cudaError_t", "cudaError", "int", "auto"};
  std::string_view type;
  bool first = true;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (word != name || !first) return;
    first = false;
    const std::string_view before = word_before(body, at);
    if (std::ranges::find(kTypes, before) != kTypes.end()) type = before;
  });
  return type;
}

/// Code that may read the variable although its name does not stand there: a lambda, or what is bound to it.
bool may_be_read_unseen(std::string_view body, std::string_view name) {
  bool unseen = body.find("[&") != kNowhere || body.find("[=") != kNowhere;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (unseen || word != name) return;
    const std::size_t sign = before_spaces(body, at);
    if (sign == kNowhere || sign == 0) return;
    const bool address = body[sign] == '&' && body[sign - 1] != '&';
    // "cudaError_t& last = err"
    const std::string_view bound = body[sign] == '=' ? word_before(body, sign) : std::string_view();
    const std::size_t reference =
        bound.empty() ? kNowhere : before_spaces(body, static_cast<std::size_t>(bound.data() - body.data()));
    unseen = address || (reference != kNowhere && body[reference] == '&');
  });
  return unseen;
}

bool is_in_a_macro(std::string_view code, std::string_view name) {
  bool macro = false, found = false;
  for (const std::string_view line : text_lines(code)) {
    if (found) break;
    macro = macro || line.substr(past_spaces(line, 0)).starts_with('#');
    if (macro) for_each_name(line, [&](std::size_t, std::string_view word) { found = found || word == name; });
    macro = macro && line.ends_with('\\');
  }
  return found;
}

/// The variable's next place is the beginning of a statement of the same block, and no jump stands between.
std::optional<Assignment> next_statement_with(std::string_view code, const Assignment& stored, std::size_t end) {
  constexpr std::array<std::string_view, 5> kJumps{"break", "continue", "goto", "case", "default"};
  const std::string_view rest = code.substr(stored.end, end - stored.end);
  std::size_t next = kNowhere;
  bool jumps = false;
  for_each_name(rest, [&](std::size_t at, std::string_view word) {
    if (next != kNowhere) return;
    if (word == stored.name) next = at;
    jumps = jumps || std::ranges::find(kJumps, word) != kJumps.end();
  });
  if (next == kNowhere || jumps) return std::nullopt;
  int depth = 0;
  for (const char letter : rest.substr(0, next)) {
    if (std::string_view("({[").find(letter) != kNowhere) ++depth;
    if (std::string_view(")}]").find(letter) != kNowhere && --depth < 0) return std::nullopt;
  }
  const std::size_t before = before_spaces(rest, next);
  if (depth != 0 || (rest[before] != ';' && rest[before] != '}')) return std::nullopt;
  return assignment_from(code, stored.end + next);
}

std::optional<OverwrittenStatus> overwritten_in(const FunctionBody& function, std::string_view code,
                                                const Assignment& stored) {
  const auto again = next_statement_with(code, stored, function.end);
  if (!again || again->name != stored.name) return std::nullopt;
  bool depends = false;
  for_each_name(code.substr(again->sign, again->end - again->sign),
                [&](std::size_t, std::string_view word) { depends = depends || word == stored.name; });
  const std::string_view body = code.substr(function.begin, function.end - function.begin);
  const std::string_view type = status_type(body, stored.name);
  const std::string_view value = code.substr(past_spaces(code, stored.sign + 1));
  if (depends || type.empty() || (type == "auto" && !value.starts_with("cuda"))) return std::nullopt;
  if (may_be_read_unseen(body, stored.name) || is_in_a_macro(code, stored.name)) return std::nullopt;
  OverwrittenStatus found{setting_at_place(code, stored.variable, stored.name),
                          setting_at_place(code, again->variable, again->name), line_at(code, again->end),
                          type == "bool"};
  if (found.again.line == found.stored.line) return std::nullopt;
  return found;
}

/// The call that gave a program the error, and what becomes of it.
struct LostError {
  const WatchedCall* told = nullptr;
  std::string called;  // whose result is stored: the call itself, or a helper that makes it
  OverwrittenStatus status;
};

/// The statement that sets the variable again made calls after the error, and none of them failed.
bool is_executed(const std::vector<WatchedCall>& calls, const WatchedCall& told, const OverwrittenStatus& status) {
  const auto there = [&](const WatchedCall& call) {
    const auto is_in = [&](const SourcePlace& place) {
      return place.file == told.where.file && status.again.line <= place.line && place.line <= status.last_line;
    };
    return is_in(call.where) || is_in(call.outer);
  };
  const auto after = calls.begin() + (&told - calls.data()) + 1;
  return std::any_of(after, calls.end(), there) &&
         std::none_of(after, calls.end(), [&](const WatchedCall& call) { return there(call) && call.status != 0; });
}

std::optional<LostError> lost_error(const std::vector<WatchedCall>& calls, std::string_view code) {
  const WatchedCall* told = first_told(calls);
  if (told == nullptr) return std::nullopt;
  std::string called = told->name;
  auto status = overwritten_status(code, told->where.line, called);
  if (!status && told->outer.file == told->where.file) {
    const auto helper = function_around_line(code, told->where.line);
    if (helper) status = overwritten_status(code, told->outer.line, called = helper->name);
  }
  if (!status || !is_executed(calls, *told, *status)) return std::nullopt;
  return LostError{told, called, *status};
}

/// Of all of the finding's cases, in each of which a call was made to fail: what the first one shows, where each of
/// them shows something.
std::optional<LostError> lost_in_cases(const MergedFinding& finding, std::string_view code,
                                       const SubmissionRun& submission_run) {
  std::optional<LostError> first;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (std::ranges::find(finding.cases, case_run.test.spec.name) == finding.cases.end()) continue;
    if (!case_run.test.spec.faults.any()) return std::nullopt;
    auto lost = lost_error(case_run.observed.after_failure, code);
    if (!lost) return std::nullopt;
    if (!first) first = std::move(lost);
  }
  return first;
}

/// "line 19: write of 4 bytes through a null pointer"
std::string seen_before(const MergedFinding& finding) {
  return finding.where.known() ? fmt::format("line {}: {}", finding.where.line, finding.message) : finding.message;
}

void show_lost_error(MergedFinding& finding, const LostError& lost) {
  const OverwrittenStatus& status = lost.status;
  const std::string& name = status.again.names.front();
  const SourcePlace again{lost.told->where.file, status.again.line, status.again.column};
  finding.help = fmt::format("look at `{}` before it is set again", name);
  finding.help += status.truth
                      ? fmt::format("; or, where `true` means that all went well, write `{0} = {0} && ...`", name)
                      : ": what is not `cudaSuccess` is an error";
  if (finding.where.line == status.stored.line) {
    finding.other =
        OtherPlace{fmt::format("`{}` is set again here before it is read, and the error is lost", name), again, {}, {}};
    return;
  }
  finding.note.insert(0, seen_before(finding) + "\n");
  finding.failed_call.clear();
  finding.message = fmt::format("`{}` is set again before it is read: what `{}` in line {} returned is lost", name,
                                lost.called, status.stored.line);
  // A check may be about this question: it stays beside.
  const bool asked = finding.id == finding_ids::kUncheckedLaunch && finding.where.known();
  const SourcePlace stored{again.file, status.stored.line, status.stored.column};
  finding.other =
      OtherPlace{fmt::format("`{}` returns an error here", lost.told->name), asked ? finding.where : stored, {}, {}};
  finding.where = again;
  finding.kernel.clear();
  finding.block.reset();
  finding.thread.reset();
  finding.count = 1;
}

}  // namespace

std::optional<OverwrittenStatus> overwritten_status(std::string_view code, std::uint32_t line, std::string_view name) {
  const auto call = only_call_in_line(code, line, name);
  const auto stored = call ? storing_statement(code, *call) : std::nullopt;
  const auto function = stored ? function_around_line(code, line) : std::nullopt;
  if (!function || stored->begin <= function->begin || stored->end >= function->end) return std::nullopt;
  return overwritten_in(*function, code, *stored);
}

void show_overwritten_statuses(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                               const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool may_follow = std::ranges::find(kOfFailures, finding.id) != kOfFailures.end() && !finding.proven;
    if (!may_follow || finding.cases.empty() || (finding.where.known() && !finding.is_in_file(file))) continue;
    if (code.empty()) code = without_comments(source);
    const auto lost = lost_in_cases(finding, code, submission_run);
    const bool own =
        lost && std::filesystem::path(lost->told->where.file).filename() == std::filesystem::path(file).filename();
    if (own) show_lost_error(finding, *lost);
  }
}

}  // namespace cudalabs
