#include "explain/errors/dropped_answer.h"

#include <fmt/format.h>

#include <optional>

#include "source/call_text.h"
#include "source/function_head.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "fine" of "fine(cudaGetLastError(), \"launch\")": what gets the result of the call at `at`. Empty: nothing does.
std::string_view function_given(std::string_view code, std::size_t at) {
  constexpr std::size_t kLongestBefore = 200;
  int depth = 0;
  const std::size_t least = at - std::min(at, kLongestBefore);
  for (std::size_t place = at; place-- > least;) {
    const char letter = code[place];
    if (letter == ';' || letter == '{' || letter == '}') break;
    depth += letter == ')' ? 1 : letter == '(' ? -1 : 0;
    if (depth < 0) return word_before(code, place);
  }
  return {};
}

/// What the function returns, where that is something that tells of a failure: "bool".
std::optional<std::string> answer_of(std::string_view code, std::string_view function) {
  const auto body = only_body(code, function);
  const auto head = body ? head_of(code, *body) : std::nullopt;
  const bool answers = head && (head->result == "bool" || head->result == "int" || head->result == "cudaError_t");
  return answers ? std::optional(head->result) : std::nullopt;
}

void show_dropped_answer(MergedFinding& finding, std::string_view code) {
  const std::uint32_t line = finding.where.line;
  const std::string cure =
      fmt::format("copy to {} only where no call has failed, and free what is allocated in any case",
                  finding.output.empty() ? "the output" : fmt::format("`{}`", finding.output));
  if (use_of_result(code, line, finding.failed_call) == ResultUse::dropped) {
    finding.help = fmt::format("line {} does not use what `{}` returns: {}", line, finding.failed_call, cure);
    return;
  }
  const auto call = only_call_in_line(code, line, finding.failed_call);
  const std::string_view function = call ? function_given(code, *call) : std::string_view();
  if (function.empty() || use_of_result(code, line, function) != ResultUse::dropped) return;
  if (const auto answer = answer_of(code, function))
    finding.help = fmt::format("`{}` returns `{}`, and line {} does not use that: {}", function, *answer, line, cure);
}

}  // namespace

void show_dropped_answers(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool known = finding.id == finding_ids::kResultMismatch && !finding.failed_call.empty() &&
                       !finding.right_at_first && finding.is_in_file(file);
    if (!known) continue;
    if (code.empty()) code = without_comments(source);
    show_dropped_answer(finding, code);
  }
}

}  // namespace cudalabs
