// Whether a launch had a thread for every element of an output that was not written everywhere.
#include "check/launch_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/told_lines.h"
#include "vgpu/check/launch_words.h"

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

/// What the launch of `comparison` reaches, where x counts columns and y counts rows.
class LaunchReach {
 public:
  LaunchReach(const vgpu::LaunchConfig& config, const Comparison& comparison)
      : config_(config), comparison_(comparison), shape_(comparison.grid()) {
    two_axes_ = comparison.shape.size() > 1 && along(1) > 1;
  }

  std::int64_t threads() const { return along(0) * along(1) * along(2); }
  /// Where blocks have one row of threads, or several layers, who knows what stands for a row of the output?
  bool axes_known() const { return two_axes_ && config_.block[1] > 1 && along(2) == 1 && !has_numbered_tiles(); }
  bool short_axis() const {
    return two_axes_ && !has_numbered_tiles() && (along(0) < shape_.columns || along(1) < shape_.rows);
  }
  /// " along y", where there are too few threads along that axis alone; else empty.
  char only_short_axis() const {
    if (!axes_known()) return '\0';
    const bool x = along(0) < shape_.columns, y = along(1) < shape_.rows;
    return x == y ? '\0' : x ? 'x' : 'y';
  }
  bool too_few() const { return threads() < comparison_.elements() || (axes_known() && short_axis()); }
  bool enough_if_exchanged() const { return axes_known() && along(0) >= shape_.rows && along(1) >= shape_.columns; }

  /// The kernel takes rows from x and columns from y, or does so with the blocks alone: there are threads enough, and
  /// what was written is what they reach in this way. A kernel that forgets the block's number may write the same.
  bool exchanged_in_kernel() const {
    if (!axes_known() || short_axis() || is_what_was_written({config_.block[1], config_.block[0]})) return false;
    const auto blocks = [&](std::size_t axis) { return std::int64_t{config_.grid[axis]}; };
    return is_what_was_written({along(0), along(1)}) ||
           is_what_was_written({blocks(0) * config_.block[1], blocks(1) * config_.block[0]});
  }
  /// The grid has the blocks for the rows along x and those for the columns along y. Not where it may as well have
  /// been divided by a side of the block that is the other axis's: in a small case both give one grid.
  bool exchanged_in_launch() const {
    const auto as_many = [&](std::size_t axis, std::int64_t extent, std::size_t side) {
      return (extent + config_.block[side] - 1) / config_.block[side] == config_.grid[axis];
    };
    const auto divided = [&](std::size_t axis, std::int64_t extent) {
      return as_many(axis, extent, 0) || as_many(axis, extent, 1);
    };
    return axes_known() && short_axis() && as_many(0, shape_.rows, 0) && as_many(1, shape_.columns, 1) &&
           !(divided(0, shape_.columns) && divided(1, shape_.rows)) && is_what_was_written({along(1), along(0)});
  }

  std::string note() const {
    const auto extent = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
    return vgpu::launch_note(config_, axes_known() ? vgpu::columns_and_rows(extent(shape_.columns), extent(shape_.rows))
                                                   : fmt::format("{} elements", comparison_.elements()));
  }

 private:
  std::int64_t along(std::size_t axis) const { return std::int64_t{config_.grid[axis]} * config_.block[axis]; }

  /// Blocks of two axes in a grid of one, and more of them than the columns ask for: the block's number stands for a
  /// tile, and not for a column.
  bool has_numbered_tiles() const {
    return config_.grid[1] == 1 && config_.grid[2] == 1 && config_.block[1] > 1 &&
           along(0) >= shape_.columns + config_.block[0];
  }

  /// All of the first rows and columns, and nothing else.
  bool is_what_was_written(GridShape reached) const {
    for (std::int64_t i = 0; i < comparison_.elements(); ++i) {
      const bool reaches = i / shape_.columns < reached.rows && i % shape_.columns < reached.columns;
      if (reaches == (comparison_.fault[static_cast<std::size_t>(i)] == Fault::unwritten)) return false;
    }
    return true;
  }

  const vgpu::LaunchConfig& config_;
  const Comparison& comparison_;
  GridShape shape_;
  bool two_axes_ = false;
};

constexpr std::string_view kExchanges = " exchanges rows and columns: ";

/// The cause stands first: where there is little room, a message loses its end.
void name_exchange(Mismatch& mismatch, std::string_view where, std::string_view help) {
  mismatch.finding.message.insert(0, fmt::format("{}{}", where, kExchanges));
  mismatch.finding.help = help;
  mismatch.clarity = Clarity::values;
}

/// What follows from the threads that there were, of which some elements are unwritten.
void blame_threads(Mismatch& mismatch, const LaunchReach& reach, const SourcePlace& launch, bool copied_unseen) {
  Finding& finding = mismatch.finding;
  // More elements than threads were written: some thread has done several.
  const bool several = mismatch.elements - static_cast<std::int64_t>(finding.count) > reach.threads();
  if (reach.too_few() && several) {
    finding.help = "a thread does several elements here: look at which of them each thread takes, and at the guard";
    mismatch.reach = Reach::several_each;
    return;
  }
  if (reach.exchanged_in_launch()) {
    name_exchange(mismatch, "the launch",
                  "in the kernel x counts columns and y counts rows: give the grid its blocks for the columns first, "
                  "`dim3 grid(blocks for the columns, blocks for the rows)`");
    blame_launch(finding, launch);
    return;
  }
  if (reach.too_few() && reach.enough_if_exchanged()) {
    finding.help = Advice::which_axis;
    finding.other = OtherPlace{"the launch", launch, {}, {}};
    if (!launch.known()) finding.other.reset();
    return;
  }
  if (reach.too_few()) {
    finding.help = help_for_few_threads(reach.only_short_axis());
    mismatch.reach = Reach::too_few;
    blame_launch(finding, launch);
    return;
  }
  if (reach.exchanged_in_kernel()) {
    name_exchange(mismatch, "the kernel",
                  "the launch counts columns along x and rows along y: in the kernel, compute the column from the x "
                  "parts of `blockIdx`, `blockDim` and `threadIdx`, and the row from their y parts");
    return;
  }
  if (reach.short_axis()) return;
  finding.help = Advice::look_at_index;
  if (copied_unseen) finding.help += "; if the output is an array of the host, also at how many bytes are copied back";
}

bool follows_blocks(RegionKind region) {
  return region == RegionKind::partial_block || region == RegionKind::past_block;
}

}  // namespace

Help help_for_few_threads(char axis) {
  const std::string along = axis == '\0' ? std::string() : fmt::format(" along {}", axis);
  return {axis == 'x'   ? Advice::more_blocks_x
          : axis == 'y' ? Advice::more_blocks_y
                        : Advice::more_blocks,
          fmt::format("there are fewer threads than elements{}: launch `(size + block - 1) / block` blocks along each "
                      "axis, with the size of the block {}, or let a thread do several elements",
                      along, axis == '\0' ? "that is launched" : "along that axis")};
}

char short_axis_in(const Help& help) {
  return help.advises(Advice::more_blocks_x) ? 'x' : help.advises(Advice::more_blocks_y) ? 'y' : '\0';
}

void withdraw_exchange(Mismatch& mismatch) {
  erase_through(mismatch.finding.message, kExchanges);
}

void name_threads(Mismatch& mismatch, const Comparison& comparison, const Observation& observed) {
  const bool unwritten = mismatch.fault == Fault::unwritten;
  if ((!unwritten && !follows_blocks(mismatch.region)) || mismatch.elements < 2) return;
  const bool on_host = std::ranges::find(observed.on_device, mismatch.output) == observed.on_device.end();
  const vgpu::LaunchCounters* launch = launch_of(mismatch, observed, on_host);
  if (launch == nullptr) return;
  const LaunchReach reach(launch->config, comparison);
  // Behind the line that names the case: what is shown of a note on one screen are its first lines.
  insert_second_line(mismatch.finding.note, reach.note());
  if (!unwritten || mismatch.finding.count == static_cast<std::uint64_t>(mismatch.elements)) return;
  blame_threads(mismatch, reach, place_of(launch->kernel, observed.launch_places), on_host && observed.copies.empty());
}

}  // namespace cudalabs
