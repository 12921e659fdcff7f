// Where a student stands in a lab: which attempt counts, what being late costs, what a person has added.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "course/course_file.h"
#include "course/store.h"

namespace cudalabs::course {

enum class State : std::uint8_t {
  graded,
  nothing,  // handed in
  refused,  // what was handed in cannot be graded
  failed,   // the grader came to no verdict
  waiting   // not graded yet
};

struct Standing {
  std::string student, lab;  // ids
  State state = State::nothing;
  std::string note;                // why there is no verdict; or in what the file was not as asked for
  std::optional<Attempt> attempt;  // that counts
  std::size_t attempts = 0;
  std::optional<Grading> grading;  // of it
  std::int64_t late_seconds = 0;   // after the student's own deadline and the grace
  std::string late_note;           // how it is known that it is late
  double points = 0, max = 0;      // as the grader gave them
  double late_points = 0;          // lost by being late
  double adjusted = 0;             // by hand
  /// What counts in the end: never below zero; adjustments may lift it above `max`.
  double total() const;
  /// Something was handed in, and neither the grader nor a person has given it points.
  bool is_open() const;
};

/// Of every student in every one of `labs` (ids), students by id. `last_run`: as this run of the grader left it, with
/// what was handed in, course and adjustments as they are now. An attempt that was graded later does not count then
/// beside one that was graded.
std::vector<Standing> standings(Store& store, const std::vector<std::string>& labs, const Course& course,
                                std::optional<std::int64_t> last_run = std::nullopt);

struct CoursePercent {
  double percent = 0;  // of the most that the labs with a score give
  bool open = false;   // some lab has no score yet
};

/// What a student's standings are worth together, weighted as the course says. A lab whose score is open counts
/// neither way; one in which nothing was handed in counts as 0 points. Nothing when no lab has points.
std::optional<CoursePercent> course_percent(const std::vector<Standing>& of_student, const Course& course,
                                            const std::vector<std::pair<std::string, double>>& most_points);
/// "62.5 %", and "so far" where a lab is open.
std::string shown_percent(const CoursePercent& percent);

/// "graded", "nothing handed in", ...
std::string_view name_of(State state);

}  // namespace cudalabs::course
