// Rows or columns of an output that are right, and stand in each other's places.
#pragma once

#include <optional>

#include "check/comparison.h"
#include "check/value_pattern.h"

namespace cudalabs {

/// Each wrong row holds the reference of exactly one other row, or is 0 throughout as when there was no such row; or
/// the same of columns. Not of arrays with one axis, nor where rows are too short or too many to be told apart.
std::optional<ValuePattern> misplaced_rows(const Comparison& comparison);

}  // namespace cudalabs
