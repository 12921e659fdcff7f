#include "explain/elements/launch_borders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "source/function_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Neighbours that nobody wrote are one gap.
std::size_t gaps_in(const Comparison& comparison) {
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < comparison.fault.size(); ++i) {
    const bool missing = comparison.fault[i] == Fault::unwritten;
    if (missing && (i == 0 || comparison.fault[i - 1] != Fault::unwritten)) ++gaps;
  }
  return gaps;
}

void ask_for_borders(MergedFinding& finding, const CaseRun& case_run) {
  const auto launches = static_cast<std::size_t>(
      std::ranges::count(case_run.observed.launches, finding.kernel, &vgpu::LaunchCounters::kernel));
  const std::vector<Comparison>& comparisons = case_run.judged().comparisons;
  const auto comparison = std::ranges::find(comparisons, finding.output, &Comparison::name);
  if (launches < 2 || comparison == comparisons.end()) return;
  if (gaps_in(*comparison) + 1 == launches) {
    finding.help = fmt::format(
        "`{}` is launched {} times, and there are {} gaps, as many as borders between two launches: let each part "
        "begin where the one before ends, without an element between them",
        plain_name(finding.kernel), launches, launches - 1);
  } else {
    finding.help = Help::where_to_look(fmt::format(
        "`{}` is launched {} times, each time for a part: look at where each part begins and how much it takes, and "
        "then at the guard",
        plain_name(finding.kernel), launches));
  }
}

}  // namespace

void ask_for_launch_borders(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kUnwrittenOutput && finding.region == RegionKind::scattered &&
                      finding.reach == Reach::unsaid && !finding.kernel.empty() && !finding.right_at_first;
    if (!open) continue;
    const auto shown = std::ranges::find_if(submission_run.case_runs,
                                            [&](const CaseRun& run) { return run.test.spec.name == finding.shown; });
    if (shown != submission_run.case_runs.end() && !shown->before) ask_for_borders(finding, *shown);
  }
}

}  // namespace cudalabs
