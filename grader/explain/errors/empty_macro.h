// Errors that are kept and asked for, and handed to a macro that does nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// "SHOW(...)", which stands alone for what is done about an error, and one of whose definitions is "((void)0)".
struct EmptyMacro {
  std::string name, text;              // "SHOW", "((void)0)"
  std::uint32_t line = 0, column = 0;  // of its use
  std::uint32_t defined = 0;           // the line of that definition

  bool operator==(const EmptyMacro&) const = default;
};

/// What an `if` does about the error that the call at that place returns, or that it is kept in. Nothing where it calls
/// anything else, or may not be executed for some error. `code` has no comments.
std::optional<EmptyMacro> empty_macro_for(std::string_view code, std::size_t call);

/// Beside errors that the program gets and does not report: as the program printed nothing, the macro did nothing.
/// `source` is the text of `file`.
void show_empty_macros(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run);

}  // namespace cudalabs
