// Where the variables are set that a finding's statement depends on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Variables that one line of a source sets, or asks about in a condition.
struct Setting {
  std::vector<std::string> names;
  std::uint32_t line = 0, column = 0;  // of the first of them
  bool condition = false;

  bool operator==(const Setting&) const = default;
};

/// What of the statement matters.
enum class Part : std::uint8_t {
  value,      // what an assignment stores, but for the variables that say to which element
  subscript,  // the element that it stores to
  launch,     // the grid and the block of a launch
};

/// The last line before `line`, and in the same function, that sets variables of that part of the statement which
/// begins there. `column` is that of the assignment's `=`, or not known. `conditions`: the last line that asks for one
/// of them with `if` will do as well. It is read as text: macros and references stay unseen.
std::optional<Setting> setting_of(std::string_view source, std::uint32_t line, std::uint32_t column, Part part,
                                  bool conditions = false);

/// The only line, outside of comments, that gives a value to `name`.
std::optional<Setting> only_setting_of(std::string_view source, std::string_view name);

/// The only line of host code that stores to an element of `name`, or to what it points to.
std::optional<Setting> only_host_store(std::string_view source, std::string_view name);

/// Gives findings whose statement stores the wrong value, misses elements or launches too few threads a second place:
/// where the variables of that statement are set, or, of elements that are missed although no two threads store to the
/// same one, where they are asked for. Wrong answers to questions get the place of the answer, and outputs that
/// the host computes the place where it stores to them. `source` is the submission's text, `file` its name.
void show_settings(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                   const SubmissionRun& submission_run);

}  // namespace cudalabs
