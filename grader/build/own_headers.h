// The headers that a submission includes itself, compiled once for many texts of it that differ by little. Of the
// processor time that clang takes for a text with <iostream>, reading that is half.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "build/job_inputs.h"
#include "build/precompiled_headers.h"
#include "build/recipe.h"

namespace cudalabs {

namespace sandbox {
class Budget;
}  // namespace sandbox

namespace builder {

/// The names in the lines `#include <...>` that a text begins with: up to what is no such line, no comment and no
/// `#include "..."`. None where there are too many of them, or names that no header of the system has.
std::vector<std::string> leading_includes(std::string_view text);

/// Whether to read these takes clang so long that compiling them once pays for a few texts.
bool are_long_to_read(const std::vector<std::string>& headers);

}  // namespace builder

/// Kept in memory, for as long as it lives. For several threads.
class OwnHeaders {
 public:
  /// As builder::add_precompiled_headers() does, for a recipe of a checked build; with those of `text` too. The first
  /// text is what counts: for one that includes others it is false, as it is where they cannot be made, and nothing is
  /// added.
  bool add(builder::Inputs& inputs, const builder::Recipe& recipe, std::string_view text, sandbox::Budget* budget);

 private:
  std::mutex mutex_;
  std::optional<std::vector<std::string>> names_;  // of the first text
  std::optional<builder::Headers> headers_;        // of them
};

}  // namespace cudalabs
