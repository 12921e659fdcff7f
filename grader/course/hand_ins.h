// Whose is which file: the shapes in which learning management systems hand out submissions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "course/roster.h"
#include "course/source_tree.h"

namespace cudalabs::course {

/// A file as its student named it, without what a system put around the name.
struct HandedFile {
  std::vector<std::string> path;  // below the student's own folder
  const TreeFile* file = nullptr;
};

/// What one student handed in, or a group together.
struct HandIn {
  std::string shown;        // the folder or file as it was found
  std::vector<Claim> from;  // whose it is; more than one for a group's
  std::vector<HandedFile> files;
  std::vector<Refused> refused;
  bool marked_late = false;               // by the system
  std::optional<std::int64_t> handed_in;  // as the system says
};

/// Known are: Gradescope's export; Moodle's and Canvas's downloads; clones of GitHub Classroom, whose folders begin
/// alike; a folder a student; flat files. Folders around all of it do not matter. `file_stems`: what the labs' own
/// files are called, "matmul", "lab3": the rest of a flat file's name is whose it is. `tree` must outlive the result,
/// which is in the order of the names found. Throws std::runtime_error when Gradescope's own file cannot be read.
std::vector<HandIn> split_by_student(const SourceTree& tree, const Roster& roster,
                                     const std::vector<std::string>& file_stems);

}  // namespace cudalabs::course
