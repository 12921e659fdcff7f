// Whether a launch had a thread for every element of an output that was not written everywhere.
#include "check/launch_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {
namespace {

/// The launch of the kernel that wrote the rest; null when there is none, or when there were several, of which each may
/// have had a part of the elements. Of an output on the host, any launch may have.
const vgpu::LaunchCounters* launch_of(const Mismatch& mismatch, const Observation& observed, bool on_host) {
  const std::string& kernel = mismatch.finding.kernel;
  const auto wanted = [&](const vgpu::LaunchCounters& launch) {
    return on_host || kernel.empty() || launch.kernel == kernel;
  };
  const auto count = std::ranges::count_if(observed.launches, wanted);
  const auto writes = [&](const vgpu::ArrayWriter& writer) {
    return writer.array == mismatch.output && writer.kernel != kernel;
  };
  if (!kernel.empty() && std::ranges::any_of(observed.writers, writes)) return nullptr;
  const bool called_twice = !observed.outputs_before.empty();
  if (count != 1 && !(called_twice && count == 2)) return nullptr;
  return &*std::ranges::find_if(observed.launches.rbegin(), observed.launches.rend(), wanted);
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

SourcePlace place_of(const std::string& kernel, const std::vector<LaunchPlace>& launches) {
  const auto launch = std::ranges::find(launches, kernel, &LaunchPlace::kernel);
  return launch == launches.end() ? SourcePlace{} : launch->where;
}

/// The finding stands where the kernel was launched, and where it stood is the other place.
void blame_launch(Finding& finding, const SourcePlace& launch) {
  if (!launch.known()) return;
  if (finding.where.known()) finding.other = OtherPlace{"what its threads store", finding.where, {}, {}};
  finding.where = launch;
}

}  // namespace

void name_threads(Mismatch& mismatch, const Comparison& comparison, const Observation& observed) {
  if (mismatch.fault != Fault::unwritten || mismatch.finding.count == static_cast<std::uint64_t>(mismatch.elements))
    return;
  const bool on_host = std::ranges::find(observed.on_device, mismatch.output) == observed.on_device.end();
  const vgpu::LaunchCounters* launch = launch_of(mismatch, observed, on_host);
  if (launch == nullptr) return;
  const auto threads = [&](std::size_t axis) {
    return static_cast<std::int64_t>(launch->config.grid[axis]) * launch->config.block[axis];
  };
  const GridShape shape = comparison.grid();
  const Axis x{threads(0), shape.columns, "x", "column"}, y{threads(1), shape.rows, "y", "row"};
  const bool two_axes = comparison.shape.size() > 1 && threads(1) > 1;
  const std::int64_t all = threads(0) * threads(1) * threads(2);
  // Where blocks have one row of threads, or several layers, who knows what stands for a row of the output?
  const bool axes_known = two_axes && launch->config.block[1] > 1 && threads(2) == 1;
  const bool short_axis = two_axes && (x.too_few() || y.too_few());
  const bool too_few = all < mismatch.elements || (axes_known && short_axis);
  // More elements than threads were written: some thread has done several.
  const bool several = mismatch.elements - static_cast<std::int64_t>(mismatch.finding.count) > all;
  Finding& finding = mismatch.finding;
  finding.note += axes_known ? fmt::format("\nthreads of the launch: {}, {}", text_of(x), text_of(y))
                             : fmt::format("\nthreads of the launch: {} for {} elements", all, mismatch.elements);
  if (too_few && several) {
    finding.help =
        "a thread does several elements here: look at which of them each thread takes, at the step and the end of its "
        "loop, and at the guard";
    return;
  }
  const bool enough_if_exchanged = axes_known && threads(0) >= shape.rows && threads(1) >= shape.columns;
  if (too_few && enough_if_exchanged) {
    finding.help =
        "there are threads enough if x counts the rows: do the launch and the kernel agree on which axis counts rows, "
        "and which columns?";
    finding.other = OtherPlace{"the launch", place_of(launch->kernel, observed.launch_places), {}, {}};
    if (!finding.other->place.known()) finding.other.reset();
    return;
  }
  if (too_few) {
    finding.help =
        "there are fewer threads than elements: along each axis launch `(size + block - 1) / block` blocks, with the "
        "size of the block that is launched, or let a thread do several elements";
    blame_launch(finding, place_of(launch->kernel, observed.launch_places));
    return;
  }
  if (short_axis) return;
  finding.help = "there are threads enough: look at the index, in which the block's number belongs, and at the guard";
  if (on_host && observed.copies.empty())
    finding.help += "; if the output is an array of the host, also at how many bytes are copied back";
}

}  // namespace cudalabs
