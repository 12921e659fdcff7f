// An access outside an array with rows and columns, made by a thread whose own element lies inside.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vgpu/check/finding_log.h"

namespace cudalabs::vgpu {

/// The array's rows and columns.
struct RowsAndColumns {
  std::uint64_t rows = 0, columns = 0;
};

/// Nothing where it is not known, or where the array has no such thing. Of an array with three dimensions, the last one
/// is what one element consists of.
std::optional<RowsAndColumns> rows_and_columns(const NamedRange& range);

/// How an index leaves an array in which every thread has the element of its row, along y, and its column, along x.
enum class MixedAxes : std::uint8_t {
  none,
  exchanged,       // column * columns + row
  column_for_row,  // row * rows + column: the length of a column taken for that of a row
  grid_for_row     // row * threads of the grid along x + column
};

/// Says so only where each of `accesses` fits, by a thread whose own element is in the array.
MixedAxes mixed_axes(const NamedRange& range, const LaunchConfig& config, std::span<const AccessOfThread> accesses);

}  // namespace cudalabs::vgpu
