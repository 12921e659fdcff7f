// An error that is stored in a variable which hides another one of its name, and the other one is looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

struct ShadowedStatus {
  std::string name;
  std::uint32_t inner = 0, outer = 0;  // lines of the declarations
  std::uint32_t read = 0;              // the first line behind the inner one's block that reads the outer one

  bool operator==(const ShadowedStatus&) const = default;
};

/// Of the declaration that stores what the call at that place returns. Nothing where its block looks at the variable,
/// other than for the words that say what it is. `code` has no comments.
std::optional<ShadowedStatus> shadowed_status(std::string_view code, std::size_t call);

/// Shows both declarations for an error that the program does not report. `source` is the text of `file`.
void show_shadowed_statuses(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                            const SubmissionRun& submission_run);

}  // namespace cudalabs
