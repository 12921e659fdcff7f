// Rows or columns of an output that are right, and stand in each other's places.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/comparison.h"
#include "check/value_pattern.h"

namespace cudalabs {

/// Each wrong row holds the reference of exactly one other row, or is 0 throughout as when there was no such row; or
/// the same of columns. Not of arrays with one axis, nor where rows are too short or too many to be told apart.
std::optional<ValuePattern> misplaced_rows(const Comparison& comparison);

struct RowSource {
  std::int64_t row = 0, source = 0;  // the row, and the one whose values it holds
};

/// All wrong rows, where each holds the reference of exactly one other row; else none.
std::vector<RowSource> sources_of_rows(const Comparison& comparison);

}  // namespace cudalabs
