// An object that is to report the error of a launch, and is made only after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// "const LaunchReport report{"multiply"};": an object whose destructor asks for the error.
struct LateObject {
  std::string_view type, name;
  std::uint32_t line = 0, column = 0;  // of its type
  std::uint32_t asked = 0;             // the line in its destructor that asks

  bool operator==(const LateObject&) const = default;
};

/// The object that is declared in line `declared`, of a type which has line `fetched` in its braces, and not in its
/// destructor, that asks for the error itself. `code` has no comments.
std::optional<LateObject> late_object(std::string_view code, std::uint32_t fetched, std::uint32_t declared);

/// Where the program gets the error of a launch as such an object is made, and does not report it, shows the
/// declaration. `source` is the text of `file`.
void show_late_objects(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run);

}  // namespace cudalabs
