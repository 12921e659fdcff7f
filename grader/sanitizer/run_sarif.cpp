// A run as SARIF 2.1.0.
#include <filesystem>

#include "report/finding_sarif.h"
#include "sanitizer/run_report.h"

namespace cudalabs::sanitizer {

std::string render_sarif(const RunReport& report, const SourceText& sources, const SourcePaths& paths) {
  SarifFindings log(sources, paths, report.command.front());
  for (const Finding& finding : report.all_findings()) log.add(finding);
  for (const SuppressedFinding& each : report.suppressed) log.add_suppressed(each.finding, each.reason);
  SarifFindings::Json invocation = sarif_invocation(report.failures.empty(), report.failures);
  invocation["exitCode"] = report.exit_code;
  return log.text(std::filesystem::path(report.command.front()).filename().string(), invocation, nullptr);
}

}  // namespace cudalabs::sanitizer
