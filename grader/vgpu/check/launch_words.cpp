// A launch in words.
#include "vgpu/check/launch_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace cudalabs::vgpu {
namespace {

/// Those that are more than 1, and all before them.
std::size_t axes_of(const Index3& extent) {
  return extent[2] > 1 ? 3 : extent[1] > 1 ? 2 : 1;
}

std::string extent_text(const Index3& extent, std::size_t axes) {
  const std::string numbers = fmt::format("{}", fmt::join(std::span(extent).first(axes), ", "));
  return axes == 1 ? numbers : "(" + numbers + ")";
}

std::size_t axes_of(const LaunchConfig& config) {
  return std::max(axes_of(config.grid), axes_of(config.block));
}

}  // namespace

std::string launch_text(const LaunchConfig& config) {
  const std::size_t axes = axes_of(config);
  const std::string shared = config.dynamic_shared_bytes == 0 ? "" : fmt::format(", {}", config.dynamic_shared_bytes);
  return fmt::format("<<<{}, {}{}>>>", extent_text(config.grid, axes), extent_text(config.block, axes), shared);
}

std::string launch_note(const LaunchConfig& config, std::string_view elements) {
  std::vector<std::uint64_t> threads;
  for (std::size_t axis = 0; axis < axes_of(config); ++axis)
    threads.push_back(std::uint64_t{config.grid[axis]} * config.block[axis]);
  const bool one = threads == std::vector<std::uint64_t>{1};
  return fmt::format("{}{}, {} {}{}{}", kLaunchNote, launch_text(config), fmt::join(threads, " × "),
                     one ? "thread" : "threads", elements.empty() ? "" : " for ", elements);
}

std::string columns_and_rows(std::uint64_t columns, std::uint64_t rows) {
  return fmt::format("{} column{} × {} row{}", columns, columns == 1 ? "" : "s", rows, rows == 1 ? "" : "s");
}

}  // namespace cudalabs::vgpu
