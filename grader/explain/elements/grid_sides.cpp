#include "explain/elements/grid_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/launch_reach.h"
#include "check/origin_place.h"
#include "source/function_text.h"
#include "source/launch_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A case in which the kernel was launched once a call, for an output of rows and columns.
struct GridSample {
  const CaseRun* case_run = nullptr;
  vgpu::LaunchConfig config;
  std::array<std::int64_t, 2> extents{};  // columns, which x counts, and rows

  std::int64_t along(std::size_t axis) const { return std::int64_t{config.grid[axis]} * config.block[axis]; }
  /// The grid has as many blocks along the axis as its extent asks for, if the block had that side.
  bool has_blocks_by(std::size_t axis, std::size_t side) const {
    const std::int64_t width = config.block[side];
    return (extents[axis] + width - 1) / width == std::int64_t{config.grid[axis]};
  }
};

/// Of all cases that were judged; none where one of them is not like that.
std::vector<GridSample> grid_samples(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::vector<GridSample> samples;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement || case_run.test.spec.faults.any()) continue;
    const auto& comparisons = case_run.judged().comparisons;
    const auto output = std::ranges::find(comparisons, finding.output, &Comparison::name);
    const auto& launches = case_run.observed.launches;
    const auto own = std::ranges::count(launches, finding.kernel, &vgpu::LaunchCounters::kernel);
    if (output == comparisons.end() || output->misfit || own == 0) continue;
    const auto launch =
        std::ranges::find(launches.rbegin(), launches.rend(), finding.kernel, &vgpu::LaunchCounters::kernel);
    const bool once = own == (case_run.observed.outputs_before.empty() ? 1 : 2);
    if (!once || output->shape.size() < 2 || launch->config.grid[2] != 1 || launch->config.block[2] != 1) return {};
    const GridShape shape = output->grid();
    if (output->elements() > 0) samples.push_back({&case_run, launch->config, {shape.columns, shape.rows}});
  }
  return samples;
}

/// Along this axis the grid is divided by the other side in all cases, and in some the own side would give another one.
bool takes_other_side(const std::vector<GridSample>& samples, std::size_t axis) {
  return std::ranges::all_of(samples, [&](const GridSample& sample) { return sample.has_blocks_by(axis, 1 - axis); }) &&
         !std::ranges::all_of(samples, [&](const GridSample& sample) { return sample.has_blocks_by(axis, axis); });
}

bool takes_own_side(const std::vector<GridSample>& samples, std::size_t axis) {
  return std::ranges::all_of(samples, [&](const GridSample& sample) { return sample.has_blocks_by(axis, axis); });
}

/// Enough different grids that chance is out of the question, all with one block.
bool are_telling(const std::vector<GridSample>& samples) {
  constexpr std::size_t kEnoughGrids = 4;
  std::set<std::array<std::uint32_t, 2>> grids, blocks;
  for (const GridSample& sample : samples) {
    grids.insert({sample.config.grid[0], sample.config.grid[1]});
    blocks.insert({sample.config.block[0], sample.config.block[1]});
  }
  return grids.size() >= kEnoughGrids && blocks.size() == 1;
}

/// Where the grid is made for the launch: its definition, or the launch itself.
std::optional<Setting> grid_of(std::string_view source, std::string_view code, const LaunchText& launch) {
  const std::vector<std::string_view> parts = items_of(launch.configuration);
  if (parts.empty()) return std::nullopt;
  if (is_identifier(parts.front())) return last_setting_of(source, launch.line, parts.front());
  return setting_at_place(code, static_cast<std::size_t>(parts.front().data() - code.data()), "the grid");
}

std::string words_for_axis(const GridSample& sample, std::size_t axis) {
  const std::array<char, 2> names{'x', 'y'};
  return fmt::format("along {} as many blocks as the {} divided by the block's {}, {}", names[axis],
                     axis == 0 ? "columns" : "rows", names[1 - axis], sample.config.block[1 - axis]);
}

/// What exchanged axes would mean for the cases of the finding.
bool exchange_may_explain(const std::vector<GridSample>& samples, const MergedFinding& finding) {
  return std::ranges::all_of(samples, [&](const GridSample& sample) {
    const bool own = finding.is_seen_in(sample.case_run->test.spec.name);
    return !own || (sample.along(0) >= sample.extents[1] && sample.along(1) >= sample.extents[0]);
  });
}

void withdraw_axes_question(MergedFinding& finding, const std::vector<GridSample>& samples) {
  const auto shown = std::ranges::find_if(
      samples, [&](const GridSample& sample) { return sample.case_run->test.spec.name == finding.shown; });
  if (shown == samples.end() || exchange_may_explain(samples, finding)) return;
  const bool x = shown->along(0) < shown->extents[0], y = shown->along(1) < shown->extents[1];
  finding.help = help_for_few_threads(x == y ? '\0' : x ? 'x' : 'y');
}

}  // namespace

bool explain_grid_sides(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const bool open = finding.id == finding_ids::kUnwrittenOutput && !finding.kernel.empty() && !finding.proven &&
                    (finding.reach == Reach::too_few || finding.help.advises(Advice::which_axis));
  if (!open) return false;
  const std::vector<GridSample> samples = grid_samples(finding, submission_run);
  const bool x = takes_other_side(samples, 0), y = takes_other_side(samples, 1);
  const bool others_right = (x || takes_own_side(samples, 0)) && (y || takes_own_side(samples, 1));
  const std::string code = without_comments(source);
  const auto launch = only_launch(code, plain_name(finding.kernel));
  const bool by_sides = launch && (x || y) && others_right && are_telling(samples);
  const auto grid = by_sides ? grid_of(source, code, *launch) : std::nullopt;
  if (!grid) {
    if (finding.help.advises(Advice::which_axis)) withdraw_axes_question(finding, samples);
    return false;
  }
  const std::string& file = finding.where.file;
  if (grid->line != launch->line)
    finding.other = OtherPlace{"the launch", {file, launch->line, launch->column}, {}, {}};
  else if (finding.where.line != launch->line)
    finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {file, grid->line, grid->column};
  finding.kernel.clear();
  std::string what = x ? words_for_axis(samples.front(), 0) : words_for_axis(samples.front(), 1);
  if (x && y) what += ", and " + words_for_axis(samples.front(), 1);
  finding.help = fmt::format(
      "in every case this grid has {}: divide the columns by the block's size along x, which is {}, and the rows by "
      "that along y, {}",
      what, samples.front().config.block[0], samples.front().config.block[1]);
  finding.proven = true;
  return true;
}

}  // namespace cudalabs
