// A report for the person who wants to know what to fix.
#include <fmt/format.h>

#include <algorithm>

#include "report/diagnostic.h"
#include "report/number_text.h"
#include "report/paint.h"
#include "report/printable.h"
#include "report/report.h"
#include "report/source_text.h"
#include "report/terminal_parts.h"

namespace cudalabs {
namespace {

constexpr std::size_t kWidestBar = 30;
constexpr std::size_t kCompilerLines = 40, kConsoleLines = 12;

void header(std::string& out, const Report& report, const TerminalStyle& style, const Paint& paint) {
  out += paint.bold(title_of(report)) + '\n';
  std::vector<std::string> facts{printable_line(report.submission), printable_line(report.frontend),
                                 printable_line(report.device)};
  if (!report.sandbox.empty()) facts.push_back("sandbox " + printable_line(report.sandbox));
  facts.push_back(fmt::format("seed {}", report.seed));
  for (const std::string& line : flow(facts, paint.sign(" · ", ", "), style.width)) out += paint.dim(line) + '\n';
  const std::string points = points_text(report.points, report.max);
  const std::size_t bar = std::min(kWidestBar, style.width - 2 - display_width(points));
  out += '\n' + score_bar(report, bar, paint) + "  " + paint.bold(points) + "\n\n";
}

void checks(std::string& out, const Report& report, const TerminalStyle& style, const Paint& paint) {
  std::string told;
  for (CheckResult check : report.checks) {
    // One failure of the grader breaks many checks, and is told once.
    if (check.status == CheckStatus::error && check.message == told) {
      check.message = "as above";
    } else {
      told = check.message;
    }
    append_check(out, report, check, style, paint);
  }
}

void findings(std::string& out, const Report& report, const SourceText& sources, const TerminalStyle& style,
              const Paint& paint) {
  std::string helped;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Finding finding = report.findings[i];
    if (said_by_compiler(finding, report)) continue;
    // Accesses of one line often share their mistake, and its help is told once.
    const bool again = !finding.help.empty() && finding.help == helped;
    helped = finding.help;
    if (again) finding.help = "as above";
    out += '\n' + paint.dim(number_of_finding(report, i)) + '\n' + render_finding(finding, sources, style);
  }
}

/// A title, and what was printed below it.
void quote(std::string& out, std::string_view title, const std::string& text, std::size_t lines, std::size_t columns,
           const Paint& paint) {
  const auto body = quoted(text, lines, columns, paint);
  if (body.empty()) return;
  out += '\n' + paint.bold(title) + '\n';
  for (const std::string& line : body) out += line + '\n';
}

void footer(std::string& out, const Report& report, const TerminalStyle& style, const Paint& paint) {
  const auto count = [&](Severity severity) {
    return std::ranges::count(report.findings, severity, &Finding::severity);
  };
  std::vector<std::string> summary{points_text(report.points, report.max)};
  const auto add = [&](std::ptrdiff_t number, std::string_view one, std::string_view many) {
    if (number > 0) summary.push_back(fmt::format("{} {}", number, number == 1 ? one : many));
  };
  add(count(Severity::error), "error", "errors");
  add(count(Severity::warning), "warning", "warnings");
  add(count(Severity::advice), "piece of advice", "pieces of advice");
  out += '\n';
  for (const std::string& line : flow(summary, ", ", style.width)) out += paint.bold(line) + '\n';
  append_steps(out, report.next_steps, style.width, paint);
}

}  // namespace

std::string render_terminal(const Report& report, const SourceText& sources, const TerminalStyle& wanted) {
  TerminalStyle style = wanted;
  style.width = std::max<unsigned>(style.width, kNarrowest);
  const Paint paint(style);
  std::string out;
  header(out, report, style, paint);
  checks(out, report, style, paint);
  findings(out, report, sources, style, paint);
  if (does_not_build(report)) {
    quote(out, "the compiler said", report.build_output, kWhole, kLongestLine, paint);
    for (const std::string& line : help_with_build(report, style.width)) out += line + '\n';
  } else {
    quote(out, "the compiler said", report.build_output, kCompilerLines, style.width, paint);
  }
  quote(out, "the program printed", report.console, kConsoleLines, style.width, paint);
  footer(out, report, style, paint);
  return out;
}

}  // namespace cudalabs
