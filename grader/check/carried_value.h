// Values in which another element's value is still contained: a sum that does not begin anew for each element.
#pragma once

#include <optional>

#include "check/comparison.h"
#include "check/region.h"
#include "check/value_pattern.h"

namespace cudalabs {

/// Every wrong element is the reference plus what came out for the element a fixed distance before it: one place or
/// one row, or as many as the block or the launch has threads along an axis; or what came out at the same place of the
/// tile that is as many tiles before as there are blocks. Not of bytes, which overflow. `block`: the
/// one that the submission launched, if it launched one.
std::optional<ValuePattern> carried_over(const Comparison& comparison, std::optional<BlockShape> block);

}  // namespace cudalabs
