// What a submission has left open of its skeleton.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"
#include "check/test_case.h"

namespace cudalabs {

/// A comment `// TODO n:` of a skeleton that still stands in a submission, with nothing written for it.
struct OpenTodo {
  int number = 0;
  std::uint32_t line = 0, column = 0;  // of the submission

  bool operator==(const OpenTodo&) const = default;
};

/// In the order of their lines. Open is what has the skeleton's code, and no other, between its comment and the next
/// one; where comments follow each other without code of the skeleton between them, what is written below the last one,
/// or above the first, may be for all of them.
std::vector<OpenTodo> open_todos(std::string_view skeleton, std::string_view submission);

/// The finding that names the first open TODO, where that is why a submission falls short: no element of an output was
/// ever written, or a check failed that no error of a finding explains; a check on speed, or a build that failed,
/// counts for nothing.
std::optional<MergedFinding> unfinished(std::span<const OpenTodo> open, const std::filesystem::path& source,
                                        const SubmissionRun& submission_run, const std::vector<MergedFinding>& findings,
                                        const std::vector<TestOutcome>& outcomes);

}  // namespace cudalabs
