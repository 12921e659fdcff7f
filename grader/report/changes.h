// What is different between two gradings of one lab.
#pragma once

#include <string>

#include "report/report.h"

namespace cudalabs {

/// A few lines: the points, the checks that pass now and the ones that no longer do, and how many findings there are
/// of each kind that grew or shrank. `before` and `after` are reports as render_json writes them.
/// Throws nlohmann::json::exception for other text.
std::string render_changes(const std::string& before, const std::string& after, const TerminalStyle& style);

}  // namespace cudalabs
