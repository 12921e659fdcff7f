// What the name of a folder or file says of whose it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "course/roster.h"

namespace cudalabs::course {

struct OwnerName {
  Claim claim;
  std::string rest;  // the student's own name of the file; empty where the name says nothing else
  bool late = false;
  bool of_system = false;  // Moodle's or Canvas's way to name things
};

/// Moodle's "Ada Lovelace_12345_assignsubmission_file_matmul.cu" and Canvas's "lovelaceada_LATE_123_4567_matmul.cu", as
/// well as the folders that are named so. Anything else comes back with neither claim nor rest.
OwnerName parse_system_name(std::string_view name);

/// "s123" of "s123_matmul", "matmul-s123", "lab3_matmul_s123": what is left without `file_stems`; empty when nothing
/// is.
std::string without_stems(std::string_view name, const std::vector<std::string>& file_stems);

/// The same of a file's name, without its ending.
std::string owner_of_flat_file(std::string_view name, const std::vector<std::string>& file_stems);

}  // namespace cudalabs::course
