// The argument of a launch that explains a bad address: what the kernel calls it, and where the host sets it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// Where the host sets the variable that the launch in that line hands over as its `argument`th, from 1 on.
std::optional<Setting> setting_of_argument(std::string_view source, std::uint32_t line, std::uint32_t argument);

/// `source` is the text of the finding's file.
void show_launch_argument(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
