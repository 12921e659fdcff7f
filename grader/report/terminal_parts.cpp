// What the short and the full report on a terminal have in common.
#include "report/terminal_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/layout.h"
#include "report/number_text.h"
#include "report/printable.h"
#include "report/speed_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMark = 2, kPoints = 8;  // columns beside a check's title

/// Appends `text`, wrapped, each line behind `indent` spaces.
void paragraph(std::string& out, std::string_view text, std::size_t indent, std::size_t width) {
  for (const std::string& line : wrap(text, width - indent)) out += std::string(indent, ' ') + line + '\n';
}

void check_line(std::string& out, const CheckResult& check, const TerminalStyle& style, const Paint& paint) {
  const std::string points = points_of(check.points, check.max) + "/" + points_of(check.max, check.max);
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

}  // namespace

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

std::string title_of(const Report& report) {
  return printable_line(report.lab) + (report.title.empty() ? "" : ": " + printable_line(report.title));
}

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

void append_check(std::string& out, const Report& report, const CheckResult& check, const TerminalStyle& style,
                  const Paint& paint) {
  check_line(out, check, style, paint);
  const std::string speed = speed_behind(report, check);
  if (!speed.empty()) paragraph(out, speed, 4, style.width);
}

std::string speed_behind(const Report& report, const CheckResult& check) {
  const auto speed = std::ranges::find(report.speed, check.id, &SpeedResult::check);
  if (speed == report.speed.end() || check.status == CheckStatus::skipped) return {};
  return printable(speed_text(*speed));
}

std::vector<std::string> quoted(const std::string& text, std::size_t lines, std::size_t columns, const Paint& paint) {
  const std::string body = excerpt(printable(text), lines, columns - 2);
  if (body.find_first_not_of(" \n") == std::string::npos) return {};
  std::vector<std::string> marked = wrap(body, std::string::npos);
  for (std::string& line : marked) line = paint.frame("|") + ' ' + line;
  return marked;
}

bool does_not_build(const Report& report) {
  return std::ranges::any_of(report.checks, [](const CheckResult& check) {
    return check.category == Category::build && check.status == CheckStatus::failed;
  });
}

std::string number_of_finding(const Report& report, std::size_t index) {
  return fmt::format("finding {} of {}", index + 1, report.findings.size());
}

bool said_by_compiler(const Finding& finding, const Report& report) {
  return finding.id == finding_ids::kBuildFailed && report.build_output.find(finding.message) != std::string::npos;
}

std::vector<std::string> help_with_build(const Report& report, std::size_t width) {
  std::vector<std::string> helps, lines;
  for (const Finding& finding : report.findings) {
    const bool told = std::ranges::find(helps, finding.help) != helps.end();
    if (finding.help.empty() || told || !said_by_compiler(finding, report)) continue;
    helps.push_back(finding.help);
    std::string_view mark = "= ";
    for (const std::string& line : wrap("help: " + printable(finding.help), width - mark.size())) {
      lines.push_back(std::string(mark) + line);
      mark = "  ";
    }
  }
  return lines;
}

void append_steps(std::string& out, const std::vector<std::string>& steps, std::size_t width, const Paint& paint) {
  std::vector<std::string> shown;
  for (const std::string& step : steps) shown.push_back(printable_line(step));
  for (const std::string& row : flow(shown, paint.sign("  → ", "  > "), width - 2)) {
    const auto lines = wrap(row, width - 2);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      out += i == 0 ? std::string(paint.sign("→", ">")) + ' ' : std::string(2, ' ');
      out += lines[i] + '\n';
    }
  }
}

}  // namespace cudalabs
