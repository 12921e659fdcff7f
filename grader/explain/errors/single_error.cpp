// The variable is looked for from the call to the end of its function.
#include "explain/errors/single_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain/errors/unreported_error.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs {
namespace {

bool is_comparison(std::string_view text, std::size_t at) {
  return at > 0 && at < text.size() && text[at] == '=' && (text[at - 1] == '=' || text[at - 1] == '!');
}

/// "status" of "cudaError_t status = cudaGetLastError()"; empty: the line sets nothing, or compares.
std::string_view set_in(std::string_view line) {
  const std::size_t sign = line.find('=');
  const bool compares = sign == kNowhere || line.substr(sign).starts_with("==") ||
                        (sign > 0 && std::string_view("!<>").find(line[sign - 1]) != kNowhere);
  return compares ? std::string_view() : word_before(line, sign);
}

/// The error that the program got in a case that shows the finding; empty: not known.
std::string error_of(const MergedFinding& finding, const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    const auto& failed = case_run.observed.made_to_fail;
    if (finding.is_seen_in(case_run.test.spec.name) && failed && failed->asked)
      return vgpu::error_name(static_cast<cudaError_t>(failed->asked->status));
  }
  return {};
}

}  // namespace

std::optional<Setting> only_compared_error(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const auto function = function_around_line(code, line);
  if (!function) return std::nullopt;
  const std::string_view statement = text_lines(code)[line - 1];
  const std::string_view status = set_in(statement);
  const auto begin = static_cast<std::size_t>(statement.data() - code.data());
  const std::string_view rest = std::string_view(code).substr(begin, function->end - begin);
  const std::string_view text = status.empty() ? statement : rest;
  std::optional<Setting> found;
  bool several = false, compared = false;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (!name.starts_with("cudaError") && name != "cudaSuccess") return;
    if (name == "cudaError_t" || name == "cudaError" || name == "cudaErrorNotReady") return;
    const std::size_t last = before_spaces(text, at);
    several = several || found || name == "cudaSuccess";
    if (last == kNowhere || !is_comparison(text, last)) return;
    const std::size_t operand = before_spaces(text, last - 1);
    const bool of_call = operand != kNowhere && text[operand] == ')';
    compared = status.empty() ? of_call : word_before(text, last - 1) == status;
    found = setting_at_place(code, static_cast<std::size_t>(name.data() - code.data()), name);
  });
  return several || !compared ? std::nullopt : found;
}

void show_single_errors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                        const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (!is_unreported(finding) || !finding.where.known() || !finding.is_in_file(file)) continue;
    const auto compared = only_compared_error(source, finding.where.line);
    const std::string error = error_of(finding, submission_run);
    if (!compared || compared->names.front() == error) continue;
    if (finding.other && finding.other->place.known())
      finding.note.insert(0, fmt::format("{} is in line {}\n", finding.other->label, finding.other->place.line));
    const std::string got = error.empty() ? "another error" : fmt::format("`{}`", error);
    finding.failed_call.clear();
    finding.message = fmt::format("only `{}` is reported, and the launch failed with {}", compared->names.front(), got);
    finding.other = OtherPlace{"this returns the error of the launch", finding.where, {}, {}};
    finding.where = {finding.where.file, compared->line, compared->column};
    finding.help =
        "compare with `cudaSuccess`: whatever else the call returns is an error, and has to be reported with "
        "`cudaGetErrorString`";
  }
}

}  // namespace cudalabs
