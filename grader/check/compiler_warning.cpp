#include "check/compiler_warning.h"

#include <fmt/format.h>

#include <string>

#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool knows_no_cause(const MergedFinding& finding) {
  const bool output = finding.id == finding_ids::kResultMismatch || finding.id == finding_ids::kNonfiniteResult ||
                      finding.id == finding_ids::kUnwrittenOutput;
  return output && finding.detector.empty() && !finding.values && !finding.origin && !finding.right_at_first;
}

}  // namespace

void show_compiler_warning(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run) {
  const std::vector<CompilerWarning>& warnings = submission_run.build.warnings;
  if (findings.empty() || warnings.size() != 1 || !knows_no_cause(findings.front())) return;
  MergedFinding& finding = findings.front();
  const CompilerWarning& warning = warnings.front();
  const bool shown = finding.where.line == warning.where.line && finding.where.file == warning.where.file;
  if (!finding.where.known()) {
    finding.where = warning.where;
  } else if (!shown) {
    finding.other = OtherPlace{"the compiler warns of this line", warning.where, {}, {}};
  }
  finding.help = fmt::format("the compiler warns at line {}: {}", warning.where.line, warning.text);
}

}  // namespace cudalabs
