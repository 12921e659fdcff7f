// The subscript of the store is worked out for each thread of the block.
#include "explain/barriers/written_prefix.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "source/case_value.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::uint32_t kWarpSize = 32;
constexpr std::uint64_t kMostInBlock = 1024;  // of a block

/// 8 of "sums[8]"; nothing: it has more subscripts, or none.
std::optional<std::int64_t> number_of_element(std::string_view element) {
  const std::size_t open = element.find('[');
  if (open == kNowhere || !element.ends_with(']')) return std::nullopt;
  const std::string_view digits = element.substr(open + 1, element.size() - open - 2);
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && stop == digits.data() + digits.size();
  return whole ? std::optional(number) : std::nullopt;
}

/// The block of the finding, in a launch that has it.
std::optional<LaunchedThread> first_of_block(const vgpu::LaunchConfig& config, const MergedFinding& finding) {
  LaunchedThread first{config};
  if (!finding.block || !finding.thread) return std::nullopt;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if ((*finding.block)[axis] >= config.grid[axis] || (*finding.thread)[axis] >= config.block[axis])
      return std::nullopt;
  }
  first.block = *finding.block;
  return first;
}

/// How many elements the threads of the block store to: all from the first on. Nothing: there are others.
std::optional<std::int64_t> elements_by(const CaseExpression& subscript,
                                        const std::map<std::string, std::int64_t>& sizes, LaunchedThread thread) {
  const Index3& extents = thread.config.block;
  if (std::uint64_t{extents[0]} * extents[1] * extents[2] > kMostInBlock) return std::nullopt;
  std::set<std::int64_t> stored;
  auto& [x, y, z] = thread.thread;
  for (z = 0; z < extents[2]; ++z) {
    for (y = 0; y < extents[1]; ++y) {
      for (x = 0; x < extents[0]; ++x) {
        const auto element = value_of(subscript, sizes, &thread);
        if (!element) return std::nullopt;
        stored.insert(*element);
      }
    }
  }
  const auto count = static_cast<std::int64_t>(stored.size());
  return *stored.begin() == 0 && *stored.rbegin() == count - 1 ? std::optional(count) : std::nullopt;
}

/// In terms of the launch, for a block along x.
void name_count(WrittenPrefix& prefix, const Index3& block) {
  const std::int64_t threads = block[0], warps = (threads + kWarpSize - 1) / kWarpSize;
  const bool along_x = block[1] == 1 && block[2] == 1;
  prefix.text = fmt::format("{}", prefix.elements);
  prefix.why.clear();
  if (along_x && prefix.elements == threads) {
    prefix.text = "blockDim.x";
    prefix.why = fmt::format("the block has {} threads", threads);
  } else if (along_x && prefix.elements == warps) {
    prefix.text = threads % kWarpSize == 0 ? "blockDim.x / 32" : "(blockDim.x + 31) / 32";
    prefix.why = warps == 1 ? "the block has 1 warp" : fmt::format("the block has {} warps", warps);
  }
}

}  // namespace

std::optional<WrittenPrefix> written_prefix(const MergedFinding& finding, std::string_view code,
                                            const FunctionBody& function, const ElementText& store,
                                            const SubmissionRun& submission_run) {
  const auto read = number_of_element(finding.access.element);
  if (!read || store.subscripts.size() != 1) return std::nullopt;
  std::set<std::string> sizes;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
  const CaseExpressions expressions(code, std::move(sizes));
  const auto subscript = expressions.of(store.subscripts.front(), line_at(code, store.place), function);
  if (!subscript || subscript->counted || !expressions.is_kernel(function)) return std::nullopt;
  std::optional<WrittenPrefix> found;
  std::set<Index3> blocks;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!finding.is_seen_in(case_run.test.spec.name)) continue;
    for (const vgpu::LaunchCounters& launch : case_run.observed.launches) {
      const auto block = launch.kernel == finding.kernel ? first_of_block(launch.config, finding) : std::nullopt;
      if (!block || !blocks.insert(launch.config.block).second) continue;
      const auto count = elements_by(*subscript, case_run.test.spec.parameters, *block);
      if (!count || *count > *read || (found && found->elements != *count)) return std::nullopt;
      found.emplace().elements = *count;
    }
  }
  if (found) name_count(*found, blocks.size() == 1 ? *blocks.begin() : Index3{});
  return found;
}

}  // namespace cudalabs
