// A kernel whose threads all turn away from what it does, for a value that the host has copied too early.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// A member of a `__constant__` variable that one line of the host copies as a whole.
struct CopiedMember {
  std::string member, variable;       // "task.n", "task"
  std::uint32_t copy = 0;             // the line that copies it
  std::uint32_t set = 0, column = 0;  // where the host sets the member, later in the same function; 0: it does not

  bool operator==(const CopiedMember&) const = default;
};

/// The first such member that the line has.
std::optional<CopiedMember> copied_member_of(std::string_view source, std::uint32_t line);

/// Of an output that was never written, where no thread of the only kernel stored anything: shows the condition that
/// all threads failed, and where the host sets a member that it asks for, if that is too late, or else where it copies
/// it.
bool show_turned_away(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
