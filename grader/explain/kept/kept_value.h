// A variable of the device that keeps its value from launch to launch, where it should begin anew.
#pragma once

#include <optional>
#include <string_view>

#include "check/merge.h"
#include "run/run.h"
#include "source/setting_text.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// Of a case whose results are right when such launches find the variable as it was at first. At the launch.
Finding leftover_value(const KeptValue& kept);

/// Where a variable of the device or a managed one is declared that is of no function; the only such line.
std::optional<Setting> device_variable_of(std::string_view source, std::string_view name);

/// Blames the declaration where it is found, and shows the launch beside it.
void place_at_variable(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
