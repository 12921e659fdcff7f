#include "cli/single_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "build/builder.h"
#include "check/case_name.h"
#include "check/judge.h"
#include "check/merge.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "cli/sources.h"
#include "cli/usage_error.h"
#include "grading/boundary_cases.h"
#include "grading/prepared_case.h"
#include "grading/toolchain_choice.h"
#include "report/console_style.h"
#include "report/diagnostic.h"
#include "report/printable.h"
#include "report/terminal_parts.h"
#include "run/run.h"

namespace cudalabs {
namespace {

const datasets::CaseSpec& find_case(const Lab& lab, const std::string& name) {
  const auto found = std::ranges::find(lab.cases, name, &datasets::CaseSpec::name);
  if (found != lab.cases.end()) return *found;
  std::vector<std::string> names;
  for (const datasets::CaseSpec& spec : lab.cases) {
    if (!spec.hidden) names.push_back(spec.name);
  }
  throw UsageError(fmt::format("--case {}: {} has no such case; it has {}", name, lab.id, fmt::join(names, ", ")));
}

std::string printed_text(const Observation& observed, const TerminalStyle& style) {
  const std::vector<std::string> lines = quoted(observed.console, kWhole, kLongestLine, Paint(style));
  return lines.empty() ? "the program printed nothing\n"
                       : fmt::format("the program printed\n{}\n", fmt::join(lines, "\n"));
}

std::string outputs_text(const CaseRun& case_run) {
  if (case_run.judged().excused) return {};
  const RunEnd end = case_run.observed.end;
  if (end == RunEnd::runtime_error || end == RunEnd::device_reset)
    return "the device was left with an error, so there is no result\n";
  if (end != RunEnd::finished) return "the run did not come to its end, so there is no result\n";
  std::string text;
  for (const Comparison& comparison : case_run.judged().comparisons) {
    if (comparison.misfit) continue;  // a finding says so
    const std::int64_t wrong = comparison.elements() - comparison.count(Fault::none);
    text += wrong == 0
                ? fmt::format("`{}` is right\n", comparison.name)
                : fmt::format("`{}`: {} of {} elements are wrong\n", comparison.name, wrong, comparison.elements());
  }
  return text;
}

}  // namespace

SubmissionRun run_on(CaseRun prepared, const GradeCommand& command, const Lab& lab, const Submission& submission) {
  const Toolchain toolchain = choose_toolchain(command.target.frontend);
  SubmissionRun submission_run;
  submission_run.lab = &lab;
  Progress progress;
  progress.say(lab.id + ": compiling");
  submission_run.build = build({.program = &lab,
                                .source = submission.source,
                                .beneath = submission.beneath,
                                .text = submission.text,
                                .frontend = toolchain.frontend,
                                .kind = BuildKind::checked},
                               toolchain);
  if (!submission_run.build.ok) return submission_run;
  progress.say(fmt::format("{}: {}", lab.id, prepared.test.spec.title));
  CaseRun& case_run = submission_run.case_runs.emplace_back(std::move(prepared));
  RunRequest request;
  request.program = &lab;
  request.runner = submission_run.build.runner;
  request.source = submission.source;
  request.test = &case_run.test;
  request.before = case_run.before ? &*case_run.before : nullptr;
  find_last_launch(case_run, request);
  case_run.observed = run(request);
  judge(submission_run.case_runs, lab.explanations);
  return submission_run;
}

bool is_right(const SubmissionRun& submission_run) {
  const auto findings = merge_findings(submission_run);
  const CaseRun& case_run = submission_run.case_runs.at(0);
  return std::ranges::count(findings, Severity::error, &Finding::severity) == 0 &&
         (case_run.judged().excused || gives_right_outputs(case_run.observed, case_run.test));
}

int grade_case(const GradeCommand& command, const Lab& lab, const Submission& submission) {
  const Lab whole = with_boundary_cases(lab, submission.text.value_or(std::string()));
  const datasets::CaseSpec& spec = find_case(whole, *command.case_name);
  const SubmissionRun submission_run =
      run_on(prepared_case(whole, spec, command.seed.value_or(lab.seed)), command, whole, submission);
  if (!submission_run.build.ok) return run_command(BuildCommand{command.target});
  const CaseRun& case_run = submission_run.case_runs.front();
  const TerminalStyle style = console_style(STDOUT_FILENO);
  show(fmt::format("{}, {}: this case alone, without points\n\n", lab.id, describe(case_run.test.spec)));
  show(printed_text(case_run.observed, style));
  const FileSources sources = sources_of(lab, submission);
  for (const Finding& finding : merge_findings(submission_run))
    show(fmt::format("\n{}", render_finding(finding, sources, style)));
  const std::string outputs = outputs_text(case_run);
  if (!outputs.empty()) show(fmt::format("\n{}", outputs));
  return is_right(submission_run) ? kFullMarks : kFellShort;
}

}  // namespace cudalabs
