// Grades for a spreadsheet.
#include <fmt/format.h>

#include "course/csv.h"
#include "course/export.h"
#include "course/moment.h"

namespace cudalabs::course {

Exported export_csv(const ClassData& data) {
  Exported exported;
  exported.text = csv_line({"student", "name", "email", "section", "lab", "status", "points", "max", "late_points",
                            "adjusted", "total", "percent", "late", "attempts", "handed_in", "file", "note"});
  for (const Standing& standing : data.standings) {
    const Student& student = data.student(standing.student);
    const double most = data.lab(standing.lab).max_points();
    const bool graded = standing.state == State::graded;
    const auto number = [&](double value) { return graded || value != 0 ? shown_points(value) : std::string(); };
    const auto& attempt = standing.attempt;
    exported.text += csv_line(
        {no_formula(student.id), no_formula(student.name), no_formula(student.email), no_formula(student.section),
         standing.lab, std::string(name_of(standing.state)), number(standing.points), shown_points(most),
         number(standing.late_points), number(standing.adjusted), number(standing.total()),
         number(100 * standing.total() / most), standing.late_note, std::to_string(standing.attempts),
         attempt && attempt->handed_in ? shown_moment(*attempt->handed_in) : std::string(),
         attempt ? no_formula(attempt->found) : std::string(), no_formula(standing.note)});
  }
  return exported;
}

}  // namespace cudalabs::course
