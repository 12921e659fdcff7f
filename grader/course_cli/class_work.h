// What grading a class is made of, here or on the machines of a cluster.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "course/class_data.h"
#include "course/grade_class.h"
#include "course/store.h"
#include "course_cli/class_options.h"
#include "lab/lab.h"
#include "sandbox/fd.h"

namespace cudalabs {

/// Makes `out` when it is not there, and holds it as long as the descriptor is open: two gradings of one class at a
/// time would grade everything twice. Throws UsageError when another process holds it for longer than `seconds`.
sandbox::Fd hold_class(const std::filesystem::path& out, unsigned seconds);

/// Puts roster and submissions into the store. Throws UsageError when one of them cannot be read.
void take_in(const ClassGradeCommand& command, const std::vector<Lab>& labs, course::Store& store);

course::Settings settings_of(const ClassGradeCommand& command);
/// What `--regrade` means. Throws UsageError for a word that is neither a lab nor a student.
course::Regrade regrade_of(const ClassGradeCommand& command, course::Store& store);

/// On standard error, a note each.
void print_doubts(const course::ClassData& data);

/// Says of each lab who handed in, and what in course.toml is in doubt.
void print_taken_in(const ClassGradeCommand& command, const std::vector<Lab>& labs, course::Store& store);

/// Says how many there are to grade, and what became known of the rest.
void print_plan(const course::Plan& plan, const ClassGradeCommand& command);

/// Fails now rather than three hundred times, and lets every grading find what was found out here. Where kernels run.
DeviceChoice prepare(const ClassGradeCommand& command);

/// What `grade LAB --submission FILE --json` does: the file lies in `folder`, which is made and removed, under the name
/// that the lab gives it. Writes the report to `output`. 0.
int grade_one(const ClassGradeCommand& command, DeviceChoice device, const Lab& lab,
              const std::filesystem::path& folder, const std::string& text, int output);

/// Prints what was found and not graded, and gradings that came to no verdict: a person has to look at these. How many
/// there are.
std::size_t print_open_rows(const std::vector<Lab>& labs, course::Store& store);

/// What a file holds that was named on the command line. Throws UsageError where it cannot be read.
std::string given_text(const std::filesystem::path& file);

/// How long a command waits for another one that works on the same class, in seconds.
constexpr unsigned kClassWait = 5;

}  // namespace cudalabs
