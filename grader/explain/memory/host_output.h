// An output of the host that the host's own code writes, where it must stay as it was because a call failed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/setting_text.h"

namespace cudalabs {

/// A statement of host code that writes to an output.
struct HostOutput {
  Setting where;       // its place, and the name that the output has there
  std::string by;      // "std::fill"; empty: it is an assignment
  bool first = false;  // no call of the runtime, and no launch, comes before it

  bool operator==(const HostOutput&) const = default;
};

/// The only one of a source in the functions that get `output` as a parameter: in one that nothing in the source calls,
/// under that name or as the only array that it may change, and in those that it gives the array to. Nothing where
/// there are several, or none. `code` has no comments.
std::optional<HostOutput> only_host_output(std::string_view code, std::string_view output);

/// Of outputs that were written although a call had failed, also where nothing was copied to the host: shows that
/// statement. `source` is the submission's text, `file` its name.
void show_host_outputs(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run);

}  // namespace cudalabs
