// A variable of the device that is meant to be set back, by a line that no thread comes to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// "if (ticket == last) next = 0;": places in the code.
struct ResetText {
  std::uint32_t line = 0;         // of the store, or of the atomic exchange
  std::string_view condition;     // of the innermost `if` around it
  std::size_t body = 0, end = 0;  // what that decides about
  bool operator==(const ResetText&) const = default;
};

/// The only place in device code that sets the variable to the value, a number, where an `if` of the same function is
/// around it. `code` has no comments.
std::optional<ResetText> only_reset_of(std::string_view code, std::string_view name, std::string_view value);

/// Of a value that a launch was left with: where the run says that no thread came to the reset, shows it beside the
/// finding, with its condition. `source` is the text of `file`.
void show_unrun_resets(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run);

}  // namespace cudalabs
