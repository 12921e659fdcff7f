// The call that gives a program the error of a launch which it then does not report.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a finding about such an error: where the text has the call whose result has it. That is a call of the runtime, or
/// that of a function which returns what the runtime returned.
struct UnreportedError {
  std::size_t call = 0;  // place of its name in the code
  std::string name;      // "cudaGetLastError"
};

/// Nothing: the finding is about something else, or the text leaves it open. `code` is that of `file`, without
/// comments.
std::optional<UnreportedError> unreported_error(const MergedFinding& finding, std::string_view code,
                                                const std::string& file, const SubmissionRun& submission_run);

/// "err" of "cudaError_t err = cudaGetLastError()" and of "err = ...", where nothing else is computed of the call at
/// that place; empty: the statement does something else.
std::string_view variable_of(std::string_view code, std::size_t call);

/// It says that the program gets an error which it does not report.
bool is_unreported(const MergedFinding& finding);

/// What is beside the finding becomes a note, and the call that gave the program the error stands beside it: the
/// message is to tell something else.
void show_error_beside(MergedFinding& finding);

}  // namespace cudalabs
