#include "cli/next_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/exit_code.h"
#include "datasets/picture.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {

std::vector<std::string> next_steps(const Lab& lab, const Report& report, const GradeCommand& command) {
  if (exit_code_of(report) == kInternalError) {
    return {"this is not your fault: the grader failed; show this report to whoever runs the course"};
  }
  if (report.points >= report.max) return {};
  const bool errors = std::ranges::count(report.findings, Severity::error, &Finding::severity) > 0;
  const bool warnings = std::ranges::count(report.findings, Severity::warning, &Finding::severity) > 0;
  std::vector<std::string> steps{fmt::format("mend the first {1}, then: make {0} && ./grade {0}", lab.id,
                                             errors     ? "error"
                                             : warnings ? "warning"
                                                        : "check that failed")};
  const bool wrong_pixels = std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.id == finding_ids::kResultMismatch || finding.id == finding_ids::kUnwrittenOutput ||
           finding.id == finding_ids::kNonfiniteResult;
  });
  if (wrong_pixels && datasets::picture_generator_for(lab.slug) != nullptr && !command.pictures) {
    steps.push_back(
        fmt::format("see the wrong pixels: ./grade {}{} --pictures DIR", lab.id,
                    command.target.submission ? " --submission " + command.target.submission->string() : ""));
  }
  steps.push_back(fmt::format("stuck? ./grade hint {}", lab.id));
  return steps;
}

}  // namespace cudalabs
