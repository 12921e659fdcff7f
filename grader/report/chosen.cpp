// The part of a report that the command line asks for: one check, or one finding.
#include <algorithm>

#include "report/diagnostic.h"
#include "report/paint.h"
#include "report/report.h"
#include "report/source_text.h"
#include "report/terminal_parts.h"

namespace cudalabs {
namespace {

TerminalStyle wide_enough(TerminalStyle style) {
  style.width = std::max<unsigned>(style.width, kNarrowest);
  return style;
}

}  // namespace

std::string render_check(const Report& report, std::string_view id, const SourceText& sources,
                         const TerminalStyle& wanted) {
  const auto check = std::ranges::find(report.checks, id, &CheckResult::id);
  if (check == report.checks.end()) return {};
  const TerminalStyle style = wide_enough(wanted);
  std::string out;
  append_check(out, report, *check, style, Paint(style));
  for (const std::size_t number : check->because) out += '\n' + render_finding_of(report, number, sources, style);
  return out;
}

std::string render_finding_of(const Report& report, std::size_t number, const SourceText& sources,
                              const TerminalStyle& wanted) {
  if (number == 0 || number > report.findings.size()) return {};
  const TerminalStyle style = wide_enough(wanted);
  return Paint(style).dim(number_of_finding(report, number - 1)) + '\n' +
         render_finding(report.findings[number - 1], sources, style);
}

}  // namespace cudalabs
