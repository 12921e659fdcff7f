// The labs of a class, and what is known of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/class_data.h"
#include "lab/lab.h"

namespace cudalabs {

/// All labs there are, sorted by id.
std::vector<Lab> all_labs();

/// Reads the course.toml of the class in `out` before anything is known of its students. Throws UsageError when it is
/// wrong.
void require_rules(const std::filesystem::path& out);

/// What is known of the class in `out`; of the lab `only` alone, if one is named by its id; as the run `last_run` left
/// it, if one is named. Throws UsageError when its course.toml is wrong.
course::ClassData class_data(const std::filesystem::path& out, course::Store& store,
                             const std::optional<std::string>& only = std::nullopt,
                             std::optional<std::int64_t> last_run = std::nullopt);

}  // namespace cudalabs
