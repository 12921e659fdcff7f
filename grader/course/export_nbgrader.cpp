// Grades in the columns of `nbgrader export`, for scripts that were written for it.
#include <fmt/format.h>

#include "course/csv.h"
#include "course/export.h"
#include "course/listed.h"
#include "course/moment.h"
#include "text/counted.h"

namespace cudalabs::course {
namespace {

struct PersonName {
  std::string first, last;
};

/// Of "Lovelace, Ada" or "Ada Lovelace": the roster has one name.
PersonName split_name(const std::string& name) {
  if (const std::size_t comma = name.find(','); comma != std::string::npos) {
    const std::size_t first = name.find_first_not_of(' ', comma + 1);
    return {first == std::string::npos ? std::string() : name.substr(first), name.substr(0, comma)};
  }
  const std::size_t space = name.rfind(' ');
  if (space == std::string::npos) return {{}, name};
  return {name.substr(0, space), name.substr(space + 1)};
}

}  // namespace

Exported export_nbgrader(const ClassData& data, bool missing_is_zero) {
  Exported exported;
  exported.text = csv_line({"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
                            "raw_score", "late_submission_penalty", "score", "max_score"});
  std::vector<std::string> empty;
  for (const Standing& standing : data.standings) {
    const Student& student = data.student(standing.student);
    const PersonName name = split_name(student.name);
    const CourseLab* lab = data.course.find(standing.lab);
    const auto& attempt = standing.attempt;
    const bool decided = standing.state == State::graded || standing.adjusted != 0;
    const bool zero = missing_is_zero && standing.state == State::nothing;
    const auto score = [&](double value) { return decided || zero ? shown_points(value) : std::string(); };
    exported.text +=
        csv_line({standing.lab, lab != nullptr && lab->deadline ? bare_moment(*lab->deadline) : "",
                  attempt && attempt->handed_in ? bare_moment(*attempt->handed_in) : "", no_formula(student.id),
                  no_formula(name.last), no_formula(name.first), no_formula(student.email),
                  score(standing.points + standing.adjusted), score(standing.late_points), score(standing.total()),
                  shown_points(data.lab(standing.lab).max_points())});
    if (!decided && !zero)
      empty.push_back(fmt::format("{} {} ({})", standing.student, standing.lab, name_of(standing.state)));
  }
  if (!empty.empty())
    exported.notes.push_back(fmt::format("{} {} empty: {}", counted(empty.size(), "score"),
                                         empty.size() == 1 ? "is" : "are", listed(empty)));
  return exported;
}

}  // namespace cudalabs::course
