// Writes of the host past the end of unified memory: the line that is known wrote to that page first. The words are all
// that leaves the virtual GPU with a finding, so that they carry this, too.
#pragma once

#include <string_view>

#include "vgpu/finding.h"

namespace cudalabs {

inline constexpr std::string_view kHostOverrun = "the host writes past the end of unified memory";

inline bool is_host_overrun(const Finding& finding) {
  return finding.message == kHostOverrun;
}

}  // namespace cudalabs
