// Gradescope's export of submissions: folders named by numbers, and one file that says whose they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "course/roster.h"

namespace cudalabs::course {

inline constexpr std::string_view kGradescopeMetadata = "submission_metadata.yml";

struct GradescopeSubmission {
  std::vector<Claim> submitters;
  std::optional<std::int64_t> handed_in;  // seconds since 1970
};

/// By folder. Throws std::runtime_error for what is no such file.
std::map<std::string, GradescopeSubmission> read_gradescope_metadata(const std::string& text);

}  // namespace cudalabs::course
