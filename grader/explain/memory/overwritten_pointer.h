// A pointer that gets another address while it is the last one to memory that nobody has freed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of memory that a line allocates for a local pointer.
struct OverwrittenPointer {
  enum class How : std::uint8_t { assigned, next_round, end_of_round };

  std::string name;
  std::uint32_t line = 0, column = 0;  // that gives it another address; of `next_round` and `end_of_round` the loop's
  How how = How::assigned;

  bool operator==(const OverwrittenPointer&) const = default;
};

/// Nothing where something may free the memory, or keep its address elsewhere. `code` has no comments.
std::optional<OverwrittenPointer> overwritten_pointer(std::string_view code, std::uint32_t allocated);

/// Shows that line beside leaks that no failed call leads to. `source` is the text of `file`.
void show_overwritten_pointers(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                               const SubmissionRun& submission_run);

}  // namespace cudalabs
