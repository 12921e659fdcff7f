#include "explain/elements/overlapping_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "explain/elements/launch_shape.h"
#include "explain/elements/seen_output.h"
#include "source/setting_text.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// How many elements or rows blocks do, and how far apart they begin, where that gives exactly those that were written:
/// in all cases, and with as many blocks as these need.
struct OverlappingBlocks {
  bool rows = false;       // along y; else elements along x
  std::int64_t times = 0;  // as many as a block has threads
  std::int64_t block = 0;  // threads
};

/// The missing ones are the last rows as a whole: how many rows were written.
std::optional<std::int64_t> written_rows(const Comparison& comparison) {
  const GridShape shape = comparison.grid();
  const auto first = comparison.first(Fault::unwritten);
  if (!first || first->index % shape.columns != 0) return std::nullopt;
  const bool all = comparison.count(Fault::unwritten) == comparison.elements() - first->index;
  return all ? std::optional(first->index / shape.columns) : std::nullopt;
}

std::optional<OverlappingBlocks> overlapping_blocks(const MergedFinding& finding, const SubmissionRun& submission_run,
                                                    bool rows) {
  OverlappingBlocks found;
  std::set<std::int64_t> grids;
  const std::size_t axis = rows ? 1 : 0;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr || case_run->observed.launches.empty()) return std::nullopt;
    const auto& launches = case_run->observed.launches;
    const auto own =
        std::ranges::find(launches.rbegin(), launches.rend(), finding.kernel, &vgpu::LaunchCounters::kernel);
    if (rows && own == launches.rend()) return std::nullopt;
    const vgpu::LaunchConfig& config = rows ? own->config : launches.back().config;
    if (rows ? config.block[1] < 2 || config.grid[2] != 1 : !is_along_one_axis(config)) return std::nullopt;
    const auto first = comparison->first(Fault::unwritten);
    const std::int64_t all = rows ? comparison->grid().rows : comparison->elements(), block = config.block[axis],
                       blocks = config.grid[axis];
    const auto written =
        rows ? written_rows(*comparison) : std::optional(comparison->elements() - comparison->count(Fault::unwritten));
    if (!first || !written || (!rows && first->index != *written) || *written % block != 0) return std::nullopt;
    const std::int64_t times = *written / block - blocks + 1;
    const bool enough = times > 1 && (all + times * block - 1) / (times * block) == blocks;
    if (!enough || (found.times != 0 && (found.times != times || found.block != block))) return std::nullopt;
    found = {rows, times, block};
    grids.insert(blocks);
  }
  // Of one number of blocks alone it may be chance.
  return grids.size() > 1 ? std::optional(found) : std::nullopt;
}

/// The last line up to `line`, and in its function, that has that number of the block; else the only one of the source.
std::optional<Setting> index_of_block(std::string_view source, std::uint32_t line, std::string_view number) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  const auto in = [&](std::size_t i) -> std::optional<Setting> {
    const std::size_t at = lines[i].find(number);
    if (at == std::string_view::npos) return std::nullopt;
    return Setting{{std::string(number)}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1};
  };
  for (std::size_t i = std::min<std::size_t>(line, lines.size()); i-- > 0 && !lines[i].starts_with('}');)
    if (auto found = in(i)) return found;
  std::optional<Setting> only;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto found = in(i);
    if (found && only) return std::nullopt;
    if (found) only = std::move(found);
  }
  return only;
}

}  // namespace

bool explain_overlapping_blocks(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  auto blocks = overlapping_blocks(finding, submission_run, false);
  if (!blocks) blocks = overlapping_blocks(finding, submission_run, true);
  if (!blocks) return false;
  const char axis = blocks->rows ? 'y' : 'x';
  const auto index = index_of_block(source, finding.where.line, blocks->rows ? "blockIdx.y" : "blockIdx");
  if (index && index->line != finding.where.line)
    finding.other = OtherPlace{fmt::format("the block's first {} is computed here", blocks->rows ? "row" : "element"),
                               {finding.where.file, index->line, index->column},
                               {},
                               {}};
  finding.proven = true;
  finding.help = fmt::format(
      "it is as if each block did {0} {4}, but began only {1} after the one before: begin at `blockIdx.{3} * ({2} * "
      "blockDim.{3}) + threadIdx.{3}`; now blocks overlap, and the last {4} are left out",
      blocks->times * blocks->block, blocks->block, blocks->times, axis, blocks->rows ? "rows" : "elements");
  return true;
}

}  // namespace cudalabs
