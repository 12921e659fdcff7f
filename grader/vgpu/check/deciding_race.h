// Races whose value decides where many threads go: a barrier that some of them then miss follows from it. The words are
// all that leaves the virtual GPU with a finding, so that they carry this, too.
#pragma once

#include <string_view>

#include "vgpu/finding.h"

namespace cudalabs {

/// How the message of such a race ends.
inline constexpr std::string_view kDecidingEnd = "; what is read decides where threads go";

inline bool is_deciding_race(const Finding& finding) {
  return std::string_view(finding.message).ends_with(kDecidingEnd);
}

}  // namespace cudalabs
