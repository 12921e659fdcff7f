// Everything that pages, exports and comparisons of a class are made from, read once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "course/course_file.h"
#include "course/similarity_summary.h"
#include "course/standing.h"
#include "course/store.h"
#include "lab/lab.h"

namespace cudalabs::course {

struct ClassData {
  Course course;
  std::vector<Lab> labs;            // that something was handed in for
  std::vector<Student> students;    // by id
  std::vector<Standing> standings;  // of every student in every lab, by student and then by lab
  std::vector<NotTaken> not_taken;
  std::vector<Adjustment> adjustments;
  std::vector<SimilaritySummary> similarities;  // of the labs that were compared
  std::vector<std::string> doubts;              // what in course.toml may be meant otherwise, with its line

  const Student& student(std::string_view id) const;
  const Lab& lab(std::string_view id) const;
  /// The name; with the id where another student is called the same, and the id alone where no name is known.
  std::string shown_name(const Student& student) const;
  std::vector<Standing> standings_of(std::string_view student) const;
  std::optional<CoursePercent> percent_of(std::string_view student) const;  // of the course
};

/// `folder`/course.toml by itself; the rules of every course where there is none. Throws LabError.
Course read_rules(const std::filesystem::path& folder, const std::vector<Lab>& all_labs);

/// Ids alone.
std::vector<std::string> ids_of(const std::vector<Student>& students);

/// Reads `folder`/course.toml, where there is one: students who are named there have to be on the roster. Without a
/// roster they may not have handed in yet, and are a doubt. `only`: this lab alone (its id). `last_run`: see
/// standings(). Throws LabError, DatabaseError.
ClassData read_class(const std::filesystem::path& folder, Store& store, const std::vector<Lab>& all_labs,
                     const std::optional<std::string>& only = std::nullopt,
                     std::optional<std::int64_t> last_run = std::nullopt);

/// "97.5": at most two digits behind the point, none that says nothing.
std::string shown_points(double points);

}  // namespace cudalabs::course
