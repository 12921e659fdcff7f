// An access outside an array with rows and columns, made by a thread whose own element lies inside.
#include "vgpu/check/mixed_axes.h"

#include <algorithm>

namespace cudalabs::vgpu {
namespace {

/// What one row and one column of the array hold.
std::uint64_t bytes_of_element(const NamedRange& range) {
  const auto& extents = range.type->extents;
  return range.type->element->bytes * (extents.size() == 3 ? extents[2] : 1);
}

MixedAxes mixed_axes_of(const NamedRange& range, const RowsAndColumns& shape, const LaunchConfig& config,
                        const AccessOfThread& access) {
  const Index3 block = coordinates(access.thread.block, config.grid);
  const Index3 thread = coordinates(access.thread.thread, config.block);
  const std::uint64_t column = std::uint64_t{block[0]} * config.block[0] + thread[0];
  const std::uint64_t row = std::uint64_t{block[1]} * config.block[1] + thread[1];
  if (column >= shape.columns || row >= shape.rows || access.address < range.address) return MixedAxes::none;
  const std::uint64_t index = (access.address - range.address) / bytes_of_element(range);
  const std::uint64_t along_grid = std::uint64_t{config.grid[0]} * config.block[0];
  const bool square = shape.rows == shape.columns;
  if (!square && index == column * shape.columns + row) return MixedAxes::exchanged;
  if (!square && index == row * shape.rows + column) return MixedAxes::column_for_row;
  return along_grid != shape.columns && index == row * along_grid + column ? MixedAxes::grid_for_row : MixedAxes::none;
}

}  // namespace

std::optional<RowsAndColumns> rows_and_columns(const NamedRange& range) {
  if (!range.flat || !range.type || !range.type->element) return std::nullopt;
  const auto& extents = range.type->extents;
  if (extents.size() != 2 && extents.size() != 3) return std::nullopt;
  return RowsAndColumns{extents[0], extents[1]};
}

MixedAxes mixed_axes(const NamedRange& range, const LaunchConfig& config, std::span<const AccessOfThread> accesses) {
  const auto shape = rows_and_columns(range);
  if (!shape || accesses.empty()) return MixedAxes::none;
  const MixedAxes first = mixed_axes_of(range, *shape, config, accesses.front());
  const bool all = std::ranges::all_of(
      accesses, [&](const AccessOfThread& access) { return mixed_axes_of(range, *shape, config, access) == first; });
  return all ? first : MixedAxes::none;
}

}  // namespace cudalabs::vgpu
