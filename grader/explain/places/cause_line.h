// Lines that no access of the device leads to: a declaration, a `return` that comes too early, what is kept from one
// call to the next. They are found in the source's text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"
#include "explain/places/setting_place.h"

namespace cudalabs {

/// The declaration of an array that the statement of `line` has a subscript of, in the same function and before it;
/// not of a shared one.
std::optional<Setting> own_array_of(std::string_view source, std::uint32_t line);

/// The only line of the host's functions that returns where a number is 0, before anything is launched.
std::optional<Setting> only_return_at_zero(std::string_view source);

/// The only variable of a function of the host that is `static`.
std::optional<Setting> only_static_variable(std::string_view source);

/// The second declaration of an `extern __shared__` array, where a kernel's text has subscripts of two.
std::optional<Setting> second_dynamic_array(std::string_view source);

/// The only line of the device's functions with a function that rounds to one side: its name ends in `_rz`, `_rd` or
/// `_ru`.
std::optional<Setting> only_directed_rounding(std::string_view source);
/// Where the word is made that the device's functions first shift right by 24.
std::optional<Setting> signed_word_of(std::string_view source);
/// The last line before `line`, and after `after`, that sets one of the names to what does not depend on them.
std::optional<Setting> restart_of(std::string_view source, const std::vector<std::string>& names, std::uint32_t line,
                                  std::uint32_t after);

/// Places the findings that such a line explains there. `source` is the submission's text, `file` its name.
void show_cause_lines(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                      const SubmissionRun& submission_run);

}  // namespace cudalabs
