// The ladders of fast versions that were measured and kept with the project.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lab/lab.h"
#include "page/graded_work.h"
#include "report/report.h"

namespace cudalabs::page {

/// For the last of the lab's checks on speed the ladder out of the files `ladder-*.json` in `results`, at the size
/// nearest to the one that is timed. Nothing where there is no such file, or it says nothing of this lab: what students
/// get has none. Throws std::runtime_error for a file that is not of that form.
std::vector<std::pair<std::string, Ladder>> measured_ladders(const Lab& lab, const Report& report,
                                                             const std::filesystem::path& results);

}  // namespace cudalabs::page
