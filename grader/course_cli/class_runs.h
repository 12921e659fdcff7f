// The runs of the grader that a class's database keeps, and what one changed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "course/differences.h"
#include "course/store.h"
#include "course_cli/class_options.h"

namespace cudalabs {

/// What a run is remembered by: "lab3", "lab3 --regrade s1001".
std::string asked_of(const ClassGradeCommand& command);

/// After a run that graded again: how many rows are other than before it.
void print_changes(const std::filesystem::path& out, course::Store& store, std::int64_t run);

/// Prints who has other points after one run than after another. `runs`: two; none: the last, and what was before it.
/// Throws UsageError when there are no such two.
ExitCode compare_runs(const std::filesystem::path& out, std::vector<std::int64_t> runs);

/// A line a difference, and how many of so many rows differ.
ExitCode print_differences(const std::vector<course::Difference>& differences, std::size_t rows);

}  // namespace cudalabs
