// Checks that did not pass and that no finding explains.
#pragma once

#include <vector>

#include "report/report.h"

namespace cudalabs {

/// Failed checks for which no finding is to blame: formats that know findings only would pass over them. Those that
/// were skipped follow from others. The pointers are into `report`.
std::vector<const CheckResult*> checks_without_finding(const Report& report);

}  // namespace cudalabs
