#include "check/overlapping_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "check/launch_shape.h"
#include "check/seen_output.h"
#include "check/setting_text.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// How many elements blocks do, and how far apart they begin, where that gives exactly the elements that were written:
/// in all cases, and with as many blocks as these need.
struct OverlappingBlocks {
  std::int64_t times = 0;  // as many as a block has threads
  std::int64_t block = 0;  // threads
};

std::optional<OverlappingBlocks> overlapping_blocks(const MergedFinding& finding, const SubmissionRun& submission_run) {
  OverlappingBlocks found;
  std::set<std::int64_t> grids;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr || case_run->observed.launches.empty()) return std::nullopt;
    const vgpu::LaunchConfig& config = case_run->observed.launches.back().config;
    const std::int64_t elements = comparison->elements(), missing = comparison->count(Fault::unwritten),
                       written = elements - missing, block = config.block[0], blocks = config.grid[0];
    const auto first = comparison->first(Fault::unwritten);
    if (!is_along_one_axis(config) || !first || first->index != written || written % block != 0) return std::nullopt;
    const std::int64_t times = written / block - blocks + 1;
    const bool enough = times > 1 && (elements + times * block - 1) / (times * block) == blocks;
    if (!enough || (found.times != 0 && (found.times != times || found.block != block))) return std::nullopt;
    found = {times, block};
    grids.insert(blocks);
  }
  // Of one number of blocks alone it may be chance.
  return grids.size() > 1 ? std::optional(found) : std::nullopt;
}

/// The last line up to `line`, and in its function, that computes something from the number of the block.
std::optional<Setting> index_of_block(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  for (std::size_t i = std::min<std::size_t>(line, lines.size()); i-- > 0 && !lines[i].starts_with('}');) {
    const std::size_t at = lines[i].find("blockIdx");
    if (at != std::string_view::npos)
      return Setting{{"blockIdx"}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1};
  }
  return std::nullopt;
}

}  // namespace

bool explain_overlapping_blocks(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const auto blocks = overlapping_blocks(finding, submission_run);
  if (!blocks) return false;
  const auto index = index_of_block(source, finding.where.line);
  if (index && index->line != finding.where.line)
    finding.other = OtherPlace{
        "the block's first element is computed here", {finding.where.file, index->line, index->column}, {}, {}};
  finding.help = fmt::format(
      "it is as if each block did {0} elements, but began only {1} after the one before: then blocks overlap, and the "
      "last elements are left out; multiply the block's number by {0}, `blockIdx.x * ({2} * blockDim.x) + threadIdx.x`",
      blocks->times * blocks->block, blocks->block, blocks->times);
  return true;
}

}  // namespace cudalabs
