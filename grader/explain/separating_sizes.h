// What the sizes of the wrong cases have in common, and those of the right ones have not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Wrong are just the cases in which `size` is no multiple of `divisor` and, where there is an `other`, that one is.
struct SeparatingSizes {
  std::string size, other;
  std::int64_t divisor = 0;

  bool operator==(const SeparatingSizes&) const = default;
};

/// Of the cases without faults; none where they are too few on either side for it to be no chance.
std::optional<SeparatingSizes> separating_sizes(const std::vector<CaseRun>& case_runs, std::int64_t divisor);

/// Of a first finding whose kernel has a vector type, such as `float4`: names the size that is to be a multiple of the
/// type's elements, and shows the host's line that asks whether a size is.
void show_separating_sizes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run);

/// The only line of the host's functions that asks for what the divisor leaves of a number; 0: there is none, or there
/// are several. `code` has no comments.
std::uint32_t only_question_for_rest(std::string_view code, std::int64_t divisor);

}  // namespace cudalabs
