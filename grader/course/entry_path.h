// The name of a file in a folder or an archive that comes from a student.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::course {

struct EntryPath {
  std::vector<std::string> parts;  // printable UTF-8, none of them empty, "." or ".."
  std::string problem;             // why nobody should follow this path; then there are no parts
};

/// Both kinds of slashes separate. A problem have absolute paths and drives, "..", signs that steer a terminal, and
/// names longer or deeper than those of real files. What is no UTF-8 is escaped.
EntryPath parse_entry_path(std::string_view path);

std::string joined(const std::vector<std::string>& parts);

/// Whether it lies in a folder of a tool, or is a file that one leaves behind: never a part of a submission.
bool is_left_by_a_tool(const std::vector<std::string>& parts);

/// `name` without what `is_archive_name` knows it by: "alice" of "alice.tar.gz"; empty when it is no archive's name.
std::string archive_stem(std::string_view name);

}  // namespace cudalabs::course
