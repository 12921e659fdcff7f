// A sum without what is left after the last whole block, although the launch has a block for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// A condition that asks whether one element is inside of the array, and decides about the read of one before it, too.
struct FarGuard {
  std::uint32_t line = 0, column = 0;
  std::string asked;  // "second < n"
  std::string end;    // "n"
  std::string far;    // "second"
  std::string near;   // "first": its element may be inside where that of `far` is not
  std::string read;   // "in[first]"

  bool operator==(const FarGuard&) const = default;
};

/// The only one in the device's functions: an `if`, or the condition of a `?:`, where nothing else in the function
/// reads that element. `code` has no comments.
std::optional<FarGuard> only_far_guard(std::string_view code);

/// Of sums of whole blocks: shows that condition; else says that the launch has enough blocks, where it has. `source`
/// is the submission's text, `file` its name.
void show_dropped_rests(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                        const SubmissionRun& submission_run);

}  // namespace cudalabs
