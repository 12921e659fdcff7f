// Copies to the device that bring less, or other values, than what was meant: `sizeof` of a pointer, and values that
// the host stores only after the copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

struct DeviceCopy {
  enum class Mistake : std::uint8_t { pointer_size, too_early };
  Mistake mistake = Mistake::pointer_size;
  std::string call, from, type;  // "cudaMemcpyToSymbol", "j", "Job"
  std::uint32_t line = 0;        // of the call
  Setting change;                // of what comes too late

  bool operator==(const DeviceCopy&) const = default;
};

/// The first such copy of the source.
std::optional<DeviceCopy> wrong_copy(std::string_view source);

/// Of a wrong output, or of a null pointer in a kernel, as the first finding: shows such a copy; one that comes too
/// early only where no other cause accounts for what is wrong.
void show_wrong_copy(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
