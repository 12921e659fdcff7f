// A status that is compared with one particular error, so that all others pass for success.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "status == cudaErrorLaunchFailure", behind "cudaError_t status = cudaGetLastError();" in `line`, or in that line
/// itself. Nothing where the function asks for another error or for `cudaSuccess`, too. The place is that of the error,
/// whose name is the only one.
std::optional<Setting> only_compared_error(std::string_view source, std::uint32_t line);

/// Places an error that the program got and did not report at such a comparison, if it is another error.
void show_single_errors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                        const SubmissionRun& submission_run);

}  // namespace cudalabs
