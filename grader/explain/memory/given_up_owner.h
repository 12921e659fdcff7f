// Memory that a smart pointer would have freed, but that the program takes away from it and drops.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// "d_a.release();", whose result nothing keeps.
struct DroppedRelease {
  std::string_view name;
  std::size_t at = 0;  // of the name
};

/// All of a text with `std::unique_ptr`, or with a `release` of its own that frees nothing. `code` has no comments.
std::vector<DroppedRelease> dropped_releases(std::string_view code);

/// Of leaks: shows where the owner of the memory that is allocated in the finding's line, or by the call that it shows,
/// gives that up. `source` is the text of `file`.
void show_given_up_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
