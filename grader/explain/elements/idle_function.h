// A function of the contract that does nothing for its output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Such as `picture_gray` with an empty body: "picture_gray", and the line of its name.
struct IdleFunction {
  std::string name;
  std::uint32_t line = 0;

  bool operator==(const IdleFunction&) const = default;
};

/// The only function of the host that takes `output` or `d_output`, if it launches no kernel and calls neither a
/// function of its own source nor one of CUDA that could write for it; else without a name. `code` has no comments.
IdleFunction idle_function(std::string_view code, std::string_view output);

/// Says of an output of which nobody wrote an element, in runs that launched kernels for others, that its function
/// launches none. `source` is the submission's text, `file` its name.
void show_idle_functions(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
