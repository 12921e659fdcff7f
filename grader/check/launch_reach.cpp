// Whether a launch had a thread for every element of an output that was not written everywhere.
#include "check/launch_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {
namespace {

/// Those of the kernel that wrote the rest; null when there is none.
const vgpu::LaunchCounters* launch_of(const Mismatch& mismatch, const Observation& observed) {
  const std::string& kernel = mismatch.finding.kernel;
  const auto wanted = [&](const vgpu::LaunchCounters& launch) { return kernel.empty() || launch.kernel == kernel; };
  const auto found = std::ranges::find_if(observed.launches.rbegin(), observed.launches.rend(), wanted);
  return found == observed.launches.rend() ? nullptr : &*found;
}

struct Axis {
  std::int64_t threads = 0, extent = 0;
  std::string_view letter, elements;
  bool too_few() const { return threads < extent; }
};

std::string text_of(const Axis& axis) {
  const std::string_view plural = axis.extent == 1 ? "" : "s";
  return fmt::format("{} along {} for {} {}{}", axis.threads, axis.letter, axis.extent, axis.elements, plural);
}

}  // namespace

void name_threads(Mismatch& mismatch, const Comparison& comparison, const Observation& observed) {
  if (mismatch.fault != Fault::unwritten || mismatch.finding.count == static_cast<std::uint64_t>(mismatch.elements))
    return;
  const bool on_host = std::ranges::find(observed.on_device, mismatch.output) == observed.on_device.end();
  if (on_host && observed.launches.size() > 1) return;  // each may have had a part of the elements
  const vgpu::LaunchCounters* launch = launch_of(mismatch, observed);
  if (launch == nullptr) return;
  const auto threads = [&](std::size_t axis) {
    return static_cast<std::int64_t>(launch->config.grid[axis]) * launch->config.block[axis];
  };
  const GridShape shape = comparison.grid();
  const Axis x{threads(0), shape.columns, "x", "column"}, y{threads(1), shape.rows, "y", "row"};
  const bool two_axes = comparison.shape.size() > 1 && threads(1) > 1;
  const std::int64_t all = threads(0) * threads(1) * threads(2);
  const bool too_few = two_axes ? x.too_few() || y.too_few() : all < mismatch.elements;
  // More elements than threads were written: some thread has done several.
  const bool several = mismatch.elements - static_cast<std::int64_t>(mismatch.finding.count) > all;
  Finding& finding = mismatch.finding;
  finding.note += two_axes ? fmt::format("\nthreads of the launch: {}, {}", text_of(x), text_of(y))
                           : fmt::format("\nthreads of the launch: {} for {} elements", all, mismatch.elements);
  if (too_few && several) {
    finding.help =
        "a thread does several elements here: look at which of them each thread takes, at the step and the end of its "
        "loop, and at the guard";
    return;
  }
  if (too_few) {
    finding.help =
        "there are fewer threads than elements: along each axis launch `(size + block - 1) / block` blocks, with the "
        "size of the block that is launched, or let a thread do several elements";
    return;
  }
  finding.help = "there are threads enough: look at the index, in which the block's number belongs, and at the guard";
  if (on_host && observed.copies.empty())
    finding.help += "; if the output is an array of the host, also at how many bytes are copied back";
}

}  // namespace cudalabs
