#include "explain/values/zero_remainder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "source/case_value.h"
#include "source/counting_loop.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "n % SIDE", of places in the code.
struct RemainderText {
  std::string_view left, right;
  std::size_t sign = 0;  // in what was searched
};

/// The name, number or bracket that ends before `at`; empty: something else does, or it is a part of more.
std::string_view operand_before(std::string_view text, std::size_t at) {
  const std::size_t last = before_spaces(text, at);
  if (last == kNowhere) return {};
  std::size_t begin = last + 1;
  if (text[last] == ')') {
    int depth = 0;
    while (begin > 0) {
      const char letter = text[--begin];
      depth += letter == ')' ? 1 : letter == '(' ? -1 : 0;
      if (depth == 0) break;
    }
    if (depth != 0) return {};
  } else {
    while (begin > 0 && is_word_letter(text[begin - 1])) --begin;
  }
  const std::size_t before = before_spaces(text, begin);
  const bool is_part = before != kNowhere && (std::string_view("*/%.>!").find(text[before]) != kNowhere ||
                                              (text[last] == ')' && is_word_letter(text[before])));
  return is_part ? std::string_view() : text.substr(begin, last + 1 - begin);
}

/// Likewise, that begins behind `at`.
std::string_view operand_behind(std::string_view text, std::size_t at) {
  const std::size_t begin = past_spaces(text, at);
  if (begin >= text.size()) return {};
  const std::size_t end = text[begin] == '(' ? past_bracket(text, begin) : end_of_word(text, begin);
  if (end == kNowhere || end == begin) return {};
  const std::size_t next = past_spaces(text, end);
  // What asks for it knows of 0.
  const bool is_part = next < text.size() && std::string_view("*/%.([-+<>=!?").find(text[next]) != kNowhere;
  return is_part ? std::string_view() : text.substr(begin, end - begin);
}

/// The only one in the text, where it has no other `%`.
std::optional<RemainderText> remainder_in(std::string_view text) {
  const std::size_t sign = text.find('%');
  if (sign == kNowhere || text.find('%', sign + 1) != kNowhere) return std::nullopt;
  const RemainderText found{operand_before(text, sign), operand_behind(text, sign + 1), sign};
  return found.left.empty() || found.right.empty() ? std::nullopt : std::optional(found);
}

/// A loop to a remainder.
struct RemainderLoop {
  const FunctionBody* function = nullptr;
  std::string_view left, right;
  CaseExpression left_value, right_value;
  std::size_t sign = 0;                // in the code
  std::uint32_t line = 0, column = 0;  // of the loop
};

class RemainderReader {
 public:
  RemainderReader(std::string_view code, std::set<std::string> sizes)
      : code_(code), expressions_(code, std::move(sizes)) {}

  /// The only one of the kernel.
  std::optional<RemainderLoop> only_loop(const std::string& kernel) const {
    return expressions_.only_loop(
        kernel, [&](const LoopText& loop, const FunctionBody& function) { return read(loop, function); });
  }

 private:
  std::optional<RemainderLoop> read(const LoopText& loop, const FunctionBody& function) const {
    const auto count = counting_loop(code_, loop);
    if (!count || !count->upwards || count->with_end || count->first != "0") return std::nullopt;
    const auto set = is_identifier(count->end) ? expressions_.only_setting(count->end, function) : std::nullopt;
    const std::string_view text = set ? set->value : count->end;
    const auto remainder = remainder_in(text);
    if (!remainder) return std::nullopt;
    const std::uint32_t line = set ? set->line : loop.line;
    auto left = expressions_.of(remainder->left, line, function),
         right = expressions_.of(remainder->right, line, function);
    if (!left || !right || left->counted || right->counted) return std::nullopt;
    const auto place = static_cast<std::size_t>(text.data() - code_.data()) + remainder->sign;
    return RemainderLoop{&function,         remainder->left, remainder->right, *std::move(left),
                         *std::move(right), place,           loop.line,        loop.column};
  }

  std::string_view code_;
  CaseExpressions expressions_;
};

struct Operands {
  std::int64_t left = 0, right = 0;

  bool leaves_nothing() const { return left % right == 0; }
};

/// In the case; nothing where there is nothing to divide, or it differs between threads.
std::optional<Operands> operands_in(const RemainderLoop& loop, const CaseRun& case_run) {
  const auto& sizes = case_run.test.spec.parameters;
  const auto left = value_of(loop.left_value, sizes, nullptr), right = value_of(loop.right_value, sizes, nullptr);
  return left && right && *left > 0 && *right > 1 ? std::optional(Operands{*left, *right}) : std::nullopt;
}

bool launches(const CaseRun& case_run, const std::string& kernel) {
  return std::ranges::any_of(case_run.observed.launches, [&](const auto& launch) { return launch.kernel == kernel; });
}

/// It is 0 in the cases of the finding, at least two, and in none of those that are right, of which there are some.
bool explains(const RemainderLoop& loop, const MergedFinding& finding, const SubmissionRun& submission_run) {
  constexpr std::size_t kFewestWrong = 2, kFewestRight = 2;
  std::size_t wrong = 0, right = 0;
  for (const CaseRun& case_run : submission_run.case_runs) {
    const bool own = !finding.cases.empty() && finding.is_seen_in(case_run.test.spec.name);
    const bool counts = case_run.judgement && !case_run.test.spec.faults.any() && launches(case_run, finding.kernel);
    if (!counts || (!own && case_run.is_wrong())) continue;
    const auto operands = operands_in(loop, case_run);
    if (!operands || operands->leaves_nothing() != own) return false;
    ++(own ? wrong : right);
  }
  return wrong >= kFewestWrong && right >= kFewestRight;
}

/// " of case `wide`, 64 % 32," of a case that may be shown.
std::string value_in_words(const RemainderLoop& loop, const MergedFinding& finding,
                           const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (case_run.test.spec.name != finding.shown || case_run.test.spec.hidden) continue;
    if (const auto operands = operands_in(loop, case_run))
      return fmt::format(", in case `{}` {} % {}", finding.shown, operands->left, operands->right);
  }
  return {};
}

}  // namespace

void show_zero_remainders(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  const auto is_open = [&](const MergedFinding& finding) {
    return finding.is_of_values() && !finding.proven && !finding.right_at_first && !finding.kernel.empty() &&
           finding.is_in_file(file);
  };
  if (source.find('%') == kNowhere || std::ranges::none_of(findings, is_open)) return;
  const std::string code = without_comments(source);
  std::set<std::string> sizes;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
  const RemainderReader reader(code, std::move(sizes));
  for (MergedFinding& finding : findings) {
    const auto loop = is_open(finding) ? reader.only_loop(plain_name(finding.kernel)) : std::nullopt;
    if (!loop || !explains(*loop, finding, submission_run)) continue;
    const std::uint32_t line = line_at(code, loop->sign);
    if (line != loop->line)
      finding.other =
          OtherPlace{"this loop then makes no round", {finding.where.file, loop->line, loop->column}, {}, {}};
    const auto begin = static_cast<std::size_t>(text_lines(code)[line - 1].data() - code.data());
    finding.where = {finding.where.file, line, static_cast<std::uint32_t>(loop->sign - begin) + 1};
    finding.help = fmt::format(
        "`{0} % {1}` is 0 where `{1}` divides `{0}`{2}: a whole number of tiles leaves no remainder, and the loop does "
        "nothing for the last tile, which is a whole one; where the remainder is 0, take `{1}`",
        loop->left, loop->right, value_in_words(*loop, finding, submission_run));
    finding.proven = true;
  }
}

}  // namespace cudalabs
