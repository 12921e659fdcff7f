#include "explain/elements/overlapping_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explain/elements/launch_shape.h"
#include "explain/elements/seen_output.h"
#include "source/function_text.h"
#include "source/named_constant.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// How many elements or rows blocks do, and how far apart they begin, where that gives exactly those that were written:
/// in all cases, and with as many blocks as these need.
enum class BlockUnit : std::uint8_t { element, row, column };

struct OverlappingBlocks {
  BlockUnit unit = BlockUnit::element;  // rows lie along y, the others along x
  std::int64_t times = 0;               // as many as a block has threads
  std::int64_t block = 0;               // threads
  bool seen_twice = false;              // with different numbers of blocks; with one alone it may be chance
};

/// The missing ones are the last rows as a whole: how many rows were written.
std::optional<std::int64_t> written_rows(const Comparison& comparison) {
  const GridShape shape = comparison.grid();
  const auto first = comparison.first(Fault::unwritten);
  if (!first || first->index % shape.columns != 0) return std::nullopt;
  const bool all = comparison.count(Fault::unwritten) == comparison.elements() - first->index;
  return all ? std::optional(first->index / shape.columns) : std::nullopt;
}

/// The missing ones are the last columns as a whole: how many columns were written.
std::optional<std::int64_t> written_columns(const Comparison& comparison) {
  const std::int64_t columns = comparison.grid().columns;
  const auto first = comparison.first(Fault::unwritten);
  if (!first || first->index >= columns) return std::nullopt;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    const bool missing = comparison.fault[static_cast<std::size_t>(i)] == Fault::unwritten;
    if (missing != (i % columns >= first->index)) return std::nullopt;
  }
  return first->index;
}

std::optional<std::int64_t> written_units(const Comparison& comparison, BlockUnit unit) {
  if (unit == BlockUnit::row) return written_rows(comparison);
  if (unit == BlockUnit::column) return written_columns(comparison);
  const std::int64_t written = comparison.elements() - comparison.count(Fault::unwritten);
  const auto first = comparison.first(Fault::unwritten);
  return first && first->index == written ? std::optional(written) : std::nullopt;
}

std::int64_t units_of(const Comparison& comparison, BlockUnit unit) {
  const GridShape shape = comparison.grid();
  return unit == BlockUnit::row ? shape.rows : unit == BlockUnit::column ? shape.columns : comparison.elements();
}

std::optional<OverlappingBlocks> overlapping_blocks(const MergedFinding& finding, const SubmissionRun& submission_run,
                                                    BlockUnit unit) {
  OverlappingBlocks found;
  std::set<std::int64_t> grids;
  const std::size_t axis = unit == BlockUnit::row ? 1 : 0;
  const bool flat = unit == BlockUnit::element;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr || case_run->observed.launches.empty()) return std::nullopt;
    const auto& launches = case_run->observed.launches;
    const auto own =
        std::ranges::find(launches.rbegin(), launches.rend(), finding.kernel, &vgpu::LaunchCounters::kernel);
    if (!flat && own == launches.rend()) return std::nullopt;
    const vgpu::LaunchConfig& config = flat ? launches.back().config : own->config;
    if (flat ? !is_along_one_axis(config) : config.block[1] < 2 || config.grid[2] != 1) return std::nullopt;
    const std::int64_t all = units_of(*comparison, unit), block = config.block[axis], blocks = config.grid[axis];
    const auto written = written_units(*comparison, unit);
    if (!written || *written % block != 0) return std::nullopt;
    const std::int64_t times = *written / block - blocks + 1;
    const bool enough = times > 1 && (all + times * block - 1) / (times * block) == blocks;
    if (!enough || (found.times != 0 && (found.times != times || found.block != block))) return std::nullopt;
    found = {unit, times, block};
    grids.insert(blocks);
  }
  found.seen_twice = grids.size() > 1;
  return found.times > 1 ? std::optional(found) : std::nullopt;
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

/// The function around the line has the name.
bool uses(std::string_view code, std::uint32_t line, std::string_view name) {
  const auto function = function_around_line(code, line);
  return function && !name.empty() && has_name(code.substr(function->begin, function->end - function->begin), name);
}

}  // namespace

bool explain_overlapping_blocks(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  constexpr std::array<std::string_view, 3> kUnits{"element", "row", "column"};
  std::optional<OverlappingBlocks> blocks;
  for (const BlockUnit unit : {BlockUnit::element, BlockUnit::row, BlockUnit::column})
    if (!blocks) blocks = overlapping_blocks(finding, submission_run, unit);
  if (!blocks) return false;
  const char axis = blocks->unit == BlockUnit::row ? 'y' : 'x';
  const std::string_view unit = kUnits[static_cast<std::size_t>(blocks->unit)];
  const auto index =
      index_of_block(source, finding.where.line,
                     blocks->unit == BlockUnit::element ? std::string("blockIdx") : fmt::format("blockIdx.{}", axis));
  const std::string code = without_comments(source);
  const std::uint32_t in_kernel = index ? index->line : finding.where.line;
  const std::string name = constant_worth(code, blocks->times, in_kernel);
  if (!blocks->seen_twice && !uses(code, in_kernel, name)) return false;
  const std::string file = finding.where.file;
  if (finding.reach == Reach::too_few) {
    // Blamed on the launch so far.
    if (!index) return false;
    finding.other = OtherPlace{"the launch", finding.where, {}, {}};
    finding.where = {file, index->line, index->column};
  } else if (index && index->line != finding.where.line) {
    finding.other = OtherPlace{
        fmt::format("the block's first {} is computed here", unit), {file, index->line, index->column}, {}, {}};
  }
  finding.proven = true;
  finding.help = fmt::format(
      "it is as if each block did {0} {4}s, but began only {1} after the one before: begin at `blockIdx.{3} * ({2} * "
      "blockDim.{3}) + threadIdx.{3}`; now blocks overlap, and the last {4}s are left out",
      blocks->times * blocks->block, blocks->block, name.empty() ? std::to_string(blocks->times) : name, axis, unit);
  return true;
}

}  // namespace cudalabs
