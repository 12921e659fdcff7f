// `vgpu run`.
#include "sanitizer/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "check/cause_order.h"
#include "report/console_style.h"
#include "report/write_file.h"
#include "sandbox/own_files.h"
#include "sanitizer/advice.h"
#include "sanitizer/calls_note.h"
#include "sanitizer/joined_findings.h"
#include "sanitizer/needed_libraries.h"
#include "sanitizer/program_run.h"
#include "sanitizer/unplaced_words.h"

namespace cudalabs::sanitizer {
namespace {

namespace fs = std::filesystem;

/// The files that findings name, each once, in the order of the findings.
std::vector<std::string> files_of(const RunReport& report) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  const auto add = [&](const SourcePlace& place) {
    if (place.known() && seen.insert(place.file).second) files.push_back(place.file);
  };
  const auto add_both = [&](const Finding& finding) {
    add(finding.where);
    if (finding.other) add(finding.other->place);
  };
  for (const Finding& finding : report.all_findings()) add_both(finding);
  for (const SuppressedFinding& each : report.suppressed) add_both(each.finding);
  return files;
}

/// From the top of the repository that the program is run in; files that lie elsewhere have their whole path.
SourcePaths paths_of(const std::vector<std::string>& files, const std::string& program) {
  const fs::path top = repository_of(fs::current_path() / program);
  SourcePaths paths;
  std::vector<std::string> all = files;
  all.push_back(program);
  for (const std::string& file : all) {
    add_source_path(paths, file, file, top);
    std::error_code error;
    if (!paths.contains(file) && fs::exists(file, error)) paths[file] = fs::absolute(file).lexically_normal().string();
  }
  return paths;
}

TerminalStyle style_of(const RunCommand& command) {
  TerminalStyle style = command.log ? TerminalStyle{} : console_style(STDERR_FILENO);
  if (command.color != Color::automatic) style.color = command.color == Color::always;
  return style;
}

void write(const RunCommand& command, const RunReport& report) {
  const std::vector<std::string> files = files_of(report);
  FileSources sources;
  for (const std::string& file : files) sources.add(file, file);
  const std::string text = render_text(report, sources, style_of(command), command.most_findings);
  if (command.log) {
    write_file(log_name(command.log->string(), static_cast<int>(::getpid())), text);
  } else {
    std::fputs(text.c_str(), stderr);
  }
  if (command.sarif) write_file(*command.sarif, render_sarif(report, sources, paths_of(files, report.command.front())));
  if (command.html) write_file(*command.html, render_page(report, sources, files));
  if (command.write_suppressions) write_file(*command.write_suppressions, suppressions_for(report.all_findings()));
}

}  // namespace

RunReport report_of(const RunCommand& command, int exit_code, vgpu::ServerReport seen,
                    std::span<const Suppression> suppressions) {
  for (Finding& advice : seen.barriers.advice()) seen.findings.push_back(std::move(advice));
  std::erase_if(seen.findings, [&](const Finding& finding) { return !command.checks.report(finding.id); });
  for (Finding& finding : seen.findings) {
    leave_out_here(finding);
    note_calls(finding);
  }
  std::ranges::stable_sort(seen.findings, is_before);
  RunReport report;
  report.command = command.command;
  report.exit_code = exit_code;
  report.device = seen.model;
  report.checks = command.checks.text();
  const std::string& program = command.command.front();
  report.failures = what_was_not_checked(program, seen, needed_libraries(resolve_program(program)));
  Suppressed result = suppress(std::move(seen.findings), suppressions);
  JoinedFindings joined = join_findings(std::move(result.left));
  report.findings = std::move(joined.told);
  report.others = std::move(joined.others);
  report.suppressed = std::move(result.suppressed);
  for (const Suppression& one : result.unmatched)
    report.remarks.push_back(fmt::format("{}: this suppression of `{}` matched nothing", one.place, one.id));
  seen.findings = report.findings;
  for (std::string& way : how_to_compile(seen, command.checks)) report.remarks.push_back(std::move(way));
  report.launches = seen.launch_count;
  report.kernel_seconds = seen.kernel_seconds;
  report.coverage = {std::move(seen.coverage), std::move(seen.branches), 1};
  return report;
}

std::string log_name(std::string_view pattern, int process) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (pattern[i] == '%' && next == 'p') {
      name += std::to_string(process);
    } else {
      name += pattern[i];
    }
    if (pattern[i] == '%' && (next == 'p' || next == '%')) ++i;
  }
  return name;
}

int run(const RunCommand& command) {
  std::vector<Suppression> suppressions;
  if (command.suppressions) suppressions = read_suppressions(*command.suppressions);
  vgpu::ServeOptions serve = command.serve;
  serve.check_races = command.checks.has(Check::race) || command.checks.has(Check::advice);
  serve.check_initialized = command.checks.has(Check::initialisation);
  serve.tries_unwritten_values = true;
  serve.access_counters = serve.access_counters && command.json.has_value();  // nothing else reads them
  ProgramRun ran = run_on_virtual_gpu(command.command, serve, sandbox::own_files().file("shared"));
  const RunReport report = report_of(command, ran.exit_code, ran.report, suppressions);
  write(command, report);
  if (command.json) {
    ran.report.findings = report.all_findings();
    ran.report.origins.clear();  // they have their places
    write_file(*command.json, to_json(ran.report) + '\n');
  }
  return ran.exit_code == 0 && report.failed() ? command.error_exit_code : ran.exit_code;
}

}  // namespace cudalabs::sanitizer
