// Memory of an object whose constructor ended by an exception.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// The class in whose constructor `allocation` and `failing` lie, two lines of `code`, which has no comments: its
/// destructor frees memory, and the second line, or what it calls, throws an exception that the constructor does not
/// catch. Empty: it is not so.
std::string unfinished_owner(std::string_view code, std::uint32_t allocation, std::uint32_t failing);

/// Of memory that leaks only in cases in which a call is made to fail: shows the line in which the constructor that has
/// allocated it is left, for the destructor is not run then. `source` is the text of `file`.
void show_unfinished_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                            const SubmissionRun& submission_run);

}  // namespace cudalabs
