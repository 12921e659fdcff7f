// A report for the person who wants to know what to mend.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/diagnostic.h"
#include "report/layout.h"
#include "report/paint.h"
#include "report/printable.h"
#include "report/report.h"
#include "report/source_text.h"
#include "report/speed_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kNarrowest = 40, kWidestBar = 30;
constexpr std::size_t kMark = 2, kPoints = 8;  // columns beside a check's title
constexpr std::size_t kFindingsShown = 12;     // errors and warnings in full; a student mends the first ones first
constexpr std::size_t kCompilerLines = 40, kConsoleLines = 12;

/// Appends `text`, wrapped, each line behind `indent` spaces.
void paragraph(std::string& out, std::string_view text, std::size_t indent, std::size_t width) {
  for (const std::string& line : wrap(text, width - indent)) out += std::string(indent, ' ') + line + '\n';
}

std::string score_bar(const Report& report, std::size_t length, const Paint& paint) {
  const double share = report.max > 0 ? std::clamp(report.points / report.max, 0.0, 1.0) : 0;
  // Rounded down: the bar is full for full marks only.
  const auto filled = static_cast<std::size_t>(std::floor(share * static_cast<double>(length)));
  std::string bar;
  for (std::size_t i = 0; i < filled; ++i) bar += paint.sign("█", "#");
  const std::string done = report.points >= report.max ? paint.good(bar) : paint.bold(bar);
  std::string rest;
  for (std::size_t i = filled; i < length; ++i) rest += paint.sign("░", ".");
  return done + paint.dim(rest);
}

std::string points_text(const Report& report) {
  return fmt::format("{:g} of {:g} points", report.points, report.max);
}

/// Joins parts, and begins a new line where the next part does not fit.
std::vector<std::string> flow(const std::vector<std::string>& parts, std::string_view separator, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    if (!lines.empty() && display_width(lines.back()) + display_width(separator) + display_width(part) <= width) {
      lines.back() += std::string(separator) + part;
    } else {
      lines.push_back(part);
    }
  }
  return lines;
}

void header(std::string& out, const Report& report, const TerminalStyle& style, const Paint& paint) {
  const std::string title =
      printable_line(report.lab) + (report.title.empty() ? "" : ": " + printable_line(report.title));
  out += paint.bold(title) + '\n';
  std::vector<std::string> facts{printable_line(report.submission), printable_line(report.frontend),
                                 printable_line(report.device)};
  if (!report.sandbox.empty()) facts.push_back("sandbox " + printable_line(report.sandbox));
  facts.push_back(fmt::format("seed {}", report.seed));
  for (const std::string& line : flow(facts, paint.sign(" · ", ", "), style.width)) out += paint.dim(line) + '\n';
  const std::string points = points_text(report);
  const std::size_t bar = std::min(kWidestBar, style.width - 2 - display_width(points));
  out += '\n' + score_bar(report, bar, paint) + "  " + paint.bold(points) + "\n\n";
}

std::string mark_of(CheckStatus status, const Paint& paint) {
  switch (status) {
    case CheckStatus::passed:
      return paint.good(paint.sign("✓", "+"));
    case CheckStatus::failed:
      return paint.bad(paint.sign("✗", "x"));
    case CheckStatus::skipped:
      return paint.dim("-");
    case CheckStatus::error:
      break;
  }
  return paint.bad("!");
}

void check_line(std::string& out, const CheckResult& check, const TerminalStyle& style, const Paint& paint) {
  const std::string points = fmt::format("{:g}/{:g}", check.points, check.max);
  const std::size_t room = style.width - kMark - kPoints;
  std::string title = printable_line(check.title);
  std::string message = expand_tabs(printable(check.message));
  // Why a check was skipped stands beside it where there is room: a failed build skips them all.
  const std::string aside = " (" + message + ")";
  if (check.status == CheckStatus::skipped && display_width(title + aside) <= room) {
    title += aside;
    message.clear();
  }
  const auto lines = wrap(title, room);
  const std::size_t filler = style.width - kMark - display_width(lines[0]);
  out += mark_of(check.status, paint) + ' ' + lines[0] +
         fmt::format("{:>{}}", points, std::max(filler, points.size() + 1)) + '\n';
  for (std::size_t i = 1; i < lines.size(); ++i) out += std::string(kMark, ' ') + lines[i] + '\n';
  if (check.status == CheckStatus::error) message = "the grader failed here: " + message;
  if (!message.empty()) paragraph(out, message, 4, style.width);
  if (!check.help.empty()) paragraph(out, "help: " + printable(check.help), 4, style.width);
}

void speed_line(std::string& out, const Report& report, const CheckResult& check, const TerminalStyle& style) {
  const auto speed = std::ranges::find(report.speed, check.id, &SpeedResult::check);
  if (speed == report.speed.end() || check.status == CheckStatus::skipped) return;
  paragraph(out, printable(speed_text(*speed)), 4, style.width);
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
    check_line(out, check, style, paint);
    speed_line(out, report, check, style);
  }
}

/// What the compiler or the program printed: every line marked, so that none can pass for the report's own.
void quote(std::string& out, std::string_view title, const std::string& text, std::size_t lines,
           const TerminalStyle& style, const Paint& paint) {
  const std::string body = excerpt(printable(text), lines, style.width - 2);
  if (body.find_first_not_of(" \n") == std::string::npos) return;
  out += '\n' + paint.bold(title) + '\n';
  for (const std::string& line : wrap(body, std::string::npos)) out += paint.frame("|") + ' ' + line + '\n';
}

/// A compiler's error stands in what the compiler said, better than anybody could say it again.
bool said_by_compiler(const Finding& finding, const Report& report) {
  return finding.id == finding_ids::kBuildFailed && report.build_output.find(finding.message) != std::string::npos;
}

void findings(std::string& out, const Report& report, const SourceText& sources, const TerminalStyle& style) {
  std::size_t shown = 0, left_out = 0;
  std::string helped;
  const auto show = [&](Finding finding) {
    // Accesses of one line often share their mistake, and its help is told once.
    const bool again = !finding.help.empty() && finding.help == helped;
    helped = finding.help;
    if (again) finding.help = "as above";
    out += '\n' + render_finding(finding, sources, style);
  };
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::advice || said_by_compiler(finding, report)) continue;
    if (shown == kFindingsShown) {
      ++left_out;
      continue;
    }
    show(finding);
    ++shown;
  }
  if (left_out > 0) out += fmt::format("\n... and {} more findings; --json FILE has them all\n", left_out);
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::advice) show(finding);
  }
}

void footer(std::string& out, const Report& report, const TerminalStyle& style, const Paint& paint) {
  const auto count = [&](Severity severity) {
    return std::ranges::count(report.findings, severity, &Finding::severity);
  };
  std::vector<std::string> summary{points_text(report)};
  const auto add = [&](std::ptrdiff_t number, std::string_view one, std::string_view many) {
    if (number > 0) summary.push_back(fmt::format("{} {}", number, number == 1 ? one : many));
  };
  add(count(Severity::error), "error", "errors");
  add(count(Severity::warning), "warning", "warnings");
  add(count(Severity::advice), "piece of advice", "pieces of advice");
  out += '\n';
  for (const std::string& line : flow(summary, ", ", style.width)) out += paint.bold(line) + '\n';
  for (const std::string& step : report.next_steps) {
    const auto lines = wrap(printable_line(step), style.width - 2);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      out += i == 0 ? std::string(paint.sign("→", ">")) + ' ' : std::string(2, ' ');
      out += lines[i] + '\n';
    }
  }
}

}  // namespace

std::string render_terminal(const Report& report, const SourceText& sources, const TerminalStyle& wanted) {
  TerminalStyle style = wanted;
  style.width = std::max<unsigned>(style.width, kNarrowest);
  const Paint paint(style);
  std::string out;
  header(out, report, style, paint);
  checks(out, report, style, paint);
  findings(out, report, sources, style);
  quote(out, "the compiler said", report.build_output, kCompilerLines, style, paint);
  quote(out, "the program printed", report.console, kConsoleLines, style, paint);
  footer(out, report, style, paint);
  return out;
}

}  // namespace cudalabs
