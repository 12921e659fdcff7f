// A report as SARIF 2.1.0.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "report/finding_sarif.h"
#include "report/finding_words.h"
#include "report/open_checks.h"
#include "report/report.h"

namespace cudalabs {
namespace {

constexpr FindingRule kFailedCheck{
    "failed-check", "A check of the lab did not pass",
    "The message says what the check asks for, and the lab's handout how many points it is worth."};

std::string text_of(const CheckResult& check) {
  std::string text = fmt::format("{} ({}): {}", sentence(check.title), check.id, check.message);
  if (!check.help.empty()) text += "\nHelp: " + check.help;
  return text;
}

}  // namespace

std::string render_sarif(const Report& report, const SourceText& sources, const SourcePaths& paths) {
  SarifFindings log(sources, paths, report.submission);
  for (const Finding& finding : report.findings) log.add(finding);
  for (const CheckResult* check : checks_without_finding(report)) log.add(kFailedCheck, text_of(*check), check->id);
  std::vector<std::string> errors;
  for (const CheckResult& check : report.checks) {
    if (check.status == CheckStatus::error) errors.push_back(check.id + ": " + check.message);
  }
  return log.text(report.lab, sarif_invocation(errors.empty(), errors),
                  {{"points", report.points}, {"max", report.max}});
}

}  // namespace cudalabs
