// A run for a terminal or a log.
#include <fmt/format.h>

#include <algorithm>

#include "report/diagnostic.h"
#include "report/layout.h"
#include "report/number_text.h"
#include "report/printable.h"
#include "sanitizer/run_report.h"

namespace cudalabs::sanitizer {
namespace {

constexpr std::string_view kPrefix = "vgpu: ";

/// A paragraph behind the prefix, which tells it from what the program prints.
std::string said(std::string_view text, const TerminalStyle& style) {
  const std::size_t room = style.width > kPrefix.size() + 20 ? style.width - kPrefix.size() : 20;
  std::string out;
  for (const std::string& line : wrap(expand_tabs(printable(text)), room))
    out += (out.empty() ? std::string(kPrefix) : std::string(kPrefix.size(), ' ')) + line + '\n';
  return out;
}

std::string summary(const RunReport& report) {
  std::size_t counts[3] = {};
  for (const Finding& finding : report.findings) ++counts[static_cast<std::size_t>(finding.severity)];
  std::string text = fmt::format("{}, {}, {} advice", count_text(counts[0], "error", "errors"),
                                 count_text(counts[1], "warning", "warnings"), count_text(counts[2]));
  if (!report.others.empty()) text += fmt::format(", {} more of the same causes", count_text(report.others.size()));
  if (!report.suppressed.empty()) text += fmt::format(", {} suppressed", count_text(report.suppressed.size()));
  return text + fmt::format("; {}, {:.2f} s in kernels on a virtual {}",
                            count_text(report.launches, "launch", "launches"), report.kernel_seconds, report.device);
}

}  // namespace

std::vector<Finding> RunReport::all_findings() const {
  std::vector<Finding> all = findings;
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

bool RunReport::failed() const {
  return !failures.empty() || std::ranges::find(findings, Severity::error, &Finding::severity) != findings.end();
}

std::string render_text(const RunReport& report, const SourceText& sources, const TerminalStyle& style,
                        std::size_t most) {
  const std::size_t shown = most == 0 ? report.findings.size() : std::min(most, report.findings.size());
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += render_finding(report.findings[i], sources, style) + '\n';
  if (const std::size_t rest = report.findings.size() - shown; rest > 0)
    text +=
        said(fmt::format("{} more, which `--max-findings` leaves out", count_text(rest, "finding", "findings")), style);
  for (const std::string& failure : report.failures) text += said(failure, style);
  for (const std::string& remark : report.remarks) text += said(remark, style);
  return text + std::string(kPrefix) + printable(summary(report)) + '\n';
}

}  // namespace cudalabs::sanitizer
