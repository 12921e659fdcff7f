// Grades as other systems read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "course/class_data.h"

namespace cudalabs::course {

struct Exported {
  std::string text;                  // the file
  std::vector<std::string> notes;    // what a person should know
  std::vector<std::string> refused;  // rows of the system's file that stay as they are: nobody can tell whose they are
};

/// One row for each student and lab, with everything that made the points; text that a spreadsheet would compute is
/// protected.
Exported export_csv(const ClassData& data);

/// Canvas's gradebook, from `gradebook` as it was downloaded: its rows and first columns, and the columns of the labs.
/// A lab's column is the one that course.toml names, else one named after the lab's title, id or folder, else a new
/// one, which Canvas takes for a new assignment. Who has no grade keeps what is there. `file` is the gradebook's name.
/// Throws CsvError when it is no gradebook.
Exported export_canvas(const ClassData& data, std::string_view gradebook, std::string_view file, bool missing_is_zero);

/// Moodle's offline grading worksheet of the only lab in `data`, from `worksheet` as it was downloaded, with its
/// columns for the grade and the feedback filled in. A grade is scaled to the worksheet's maximum. Throws CsvError when
/// it is no worksheet in English.
Exported export_moodle(const ClassData& data, std::string_view worksheet, std::string_view file, bool missing_is_zero);

/// The columns of `nbgrader export`, one row for each student and lab. Points by hand are part of the raw score. Where
/// there is no verdict the scores are empty, and a note says so.
Exported export_nbgrader(const ClassData& data, bool missing_is_zero);

}  // namespace cudalabs::course
