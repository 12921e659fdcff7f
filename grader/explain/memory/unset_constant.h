// A `__constant__` variable that nothing was copied to: it is 0 on the device.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

struct UnsetConstant {
  Setting declared;
  std::optional<Setting> assigned;  // the first line of the host that assigns to it
  std::uint32_t read = 0;           // the first line of the kernel that has it

  bool operator==(const UnsetConstant&) const = default;
};

/// The first of a source that the function around `line` reads, that has no value from the beginning, and that no
/// call with a symbol names.
std::optional<UnsetConstant> unset_constant(std::string_view source, std::uint32_t line);

/// Of outputs with wrong values: where the host assigns to such a variable, or else its declaration.
void show_unset_constants(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
