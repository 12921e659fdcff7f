// The files of a new lab: a small one that works, for its author to change.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cudalabs {

/// What stands where the author of a new lab has something to do; `grade lint` lists every place.
inline constexpr const char* kTodo = "TODO(author)";

/// Writes labs/SLUG and solutions/SLUG below `root`, and returns the files. `slug` is the lab's id, _ and a name that a
/// function may have: "lab7_saxpy". Nothing is written where one of the folders is there, or the id is another lab's.
/// Throws LabError, which says why.
std::vector<std::filesystem::path> write_new_lab(const std::filesystem::path& root, const std::string& slug);

}  // namespace cudalabs
