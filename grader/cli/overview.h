// `grade` without arguments: how far the student has come, and what to do next.
#pragma once

#include <string>
#include <vector>

#include "cli/best_scores.h"
#include "cli/invocation.h"
#include "report/report.h"

namespace cudalabs {

struct OverviewLab {
  std::string id, title, folder, source;  // folder: its name under labs/; source: the file to edit, in it
};

/// A line a lab in the order given, the next lab, and the next step for it. At most 24 rows of 80 columns for up to ten
/// labs.
std::string render_overview(const std::vector<OverviewLab>& labs, const BestScores& scores, const TerminalStyle& style,
                            const Invocation& how = invocation());

}  // namespace cudalabs
