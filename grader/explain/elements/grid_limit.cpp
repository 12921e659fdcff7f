// The launches tell the number, and the text where it comes from.
#include "explain/elements/grid_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "check/launch_reach.h"
#include "explain/elements/seen_output.h"
#include "source/called_functions.h"
#include "source/function_text.h"
#include "source/launch_text.h"
#include "source/limit_text.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kGridAxes = "xyz";

/// How many blocks along the axis the kernel had wherever elements were missing; nothing: it differs, or elsewhere
/// there were more.
std::optional<std::uint32_t> limited_extent(const MergedFinding& finding, const SubmissionRun& submission_run,
                                            std::size_t axis) {
  std::optional<std::uint32_t> limited;
  std::uint32_t most = 0;
  for (const CaseRun& case_run : submission_run.case_runs) {
    const auto& launches = case_run.observed.launches;
    const auto launch =
        std::ranges::find(launches.rbegin(), launches.rend(), finding.kernel, &vgpu::LaunchCounters::kernel);
    if (launch == launches.rend()) continue;
    const std::uint32_t extent = launch->config.grid[axis];
    most = std::max(most, extent);
    if (!finding.is_seen_in(case_run.test.spec.name)) continue;
    if (limited && *limited != extent) return std::nullopt;
    limited = extent;
  }
  return limited && *limited >= 2 && *limited == most ? limited : std::nullopt;
}

/// The functions in which the grid of a launch may be computed: the one that launches, and those that it calls.
std::vector<FunctionBody> functions_of_grid(std::string_view code, std::uint32_t launch) {
  const std::vector<FunctionBody> all = function_bodies(code);
  const std::size_t place = place_of_line(code, launch, 1);
  const auto around =
      std::ranges::find_if(all, [&](const FunctionBody& body) { return body.begin <= place && place < body.end; });
  if (around == all.end()) return {};
  std::set<std::string_view> named;
  for_each_name(code.substr(around->begin, around->end - around->begin),
                [&](std::size_t, std::string_view name) { named.insert(name); });
  std::vector<FunctionBody> found;
  for (const FunctionBody& body : all)
    if (body.begin == around->begin || named.contains(body.name)) found.push_back(body);
  return found;
}

struct GridLimit {
  LimitText limit;
  std::string_view limited;  // what the number of blocks would be without it
};

/// Those that are worth `extent`.
std::vector<GridLimit> limits_to(std::string_view code, std::uint32_t extent, std::uint32_t launch) {
  const std::vector<FunctionBody> functions = functions_of_grid(code, launch);
  const SourceNumbers numbers(code);
  std::vector<GridLimit> found;
  for (const LimitText& limit : host_limits(code)) {
    const auto place = static_cast<std::size_t>(limit.text.data() - code.data());
    const auto behind = std::ranges::upper_bound(functions, place, {}, &FunctionBody::begin);
    const bool is_near = behind != functions.begin() && place < std::prev(behind)->end;
    if (!is_near) continue;
    const auto left = numbers.value(limit.left, limit.line, nullptr),
               right = numbers.value(limit.right, limit.line, nullptr);
    if (left.has_value() == right.has_value()) continue;
    if (left.value_or(extent) == extent && right.value_or(extent) == extent)
      found.push_back({limit, left ? limit.right : limit.left});
  }
  return found;
}

/// Of several in one line the first is that for x, and so on, where there is one for each axis.
std::optional<GridLimit> limit_along(std::size_t axis, const std::vector<GridLimit>& limits) {
  if (limits.size() == 1) return limits.front();
  const bool one_line =
      std::ranges::all_of(limits, [&](const GridLimit& each) { return each.limit.line == limits.front().limit.line; });
  return limits.size() > 1 && limits.size() <= kGridAxes.size() && one_line && axis < limits.size()
             ? std::optional(limits[axis])
             : std::nullopt;
}

std::string quoted_limit(const LimitText& limit) {
  constexpr std::size_t kLongest = 50;
  const bool is_short = limit.text.size() <= kLongest && limit.text.find('\n') == kNowhere;
  return is_short ? fmt::format("`{}`", limit.text) : std::string("this line");
}

/// An `if` goes away; other limits give way to what they limit.
ProposedChange without_limit(const GridLimit& grid) {
  std::string after(grid.limit.is_statement ? std::string_view(";") : grid.limited);
  return {grid.limit.line, grid.limit.column, std::string(grid.limit.text), std::move(after)};
}

/// The lines of the kernel, and of what it calls, that ask how large the grid is: by a loop a thread goes on there.
std::set<std::uint32_t> lines_of_steps(std::string_view code, const std::string& kernel) {
  std::set<std::uint32_t> lines;
  for (const FunctionBody& body : functions_reached_from(code, plain_name(kernel))) {
    for_each_name(code.substr(body.begin, body.end - body.begin), [&](std::size_t at, std::string_view name) {
      if (name == "gridDim") lines.insert(line_at(code, body.begin + at));
    });
  }
  return lines;
}

/// The limit is right where each thread goes on by what the whole grid covers: what misses elements is the loop.
void show_step(MergedFinding& finding, const GridLimit& grid, const std::set<std::uint32_t>& lines,
               std::uint32_t blocks, char axis) {
  const std::string& file = finding.where.file;
  const SourcePlace limit{file, grid.limit.line, grid.limit.column};
  finding.where = limit;
  finding.other.reset();
  if (lines.size() == 1) {
    finding.where = {file, *lines.begin(), 0};
    finding.other = OtherPlace{"no more blocks than this", limit, {}, {}};
  }
  finding.kernel.clear();
  finding.help = Help::where_to_look(fmt::format(
      "the grid ends at {0} blocks along {1}, so each thread has to go on to further elements: the step along {1} is "
      "what all threads of the grid cover there, `gridDim.{1} * blockDim.{1}`",
      blocks, axis));
}

}  // namespace

bool show_grid_limit(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const bool open = finding.id == finding_ids::kUnwrittenOutput && finding.reach == Reach::too_few && !finding.proven &&
                    !finding.kernel.empty();
  if (!open) return false;
  const std::string code = without_comments(source);
  const auto launch = only_launch(code, plain_name(finding.kernel));
  if (!launch) return false;
  const char short_axis = short_axis_in(finding.help);
  std::optional<GridLimit> found;
  std::size_t of_axis = 0;
  std::uint32_t blocks = 0;
  for (std::size_t axis = 0; axis < kGridAxes.size(); ++axis) {
    if (short_axis != '\0' && kGridAxes[axis] != short_axis) continue;
    const auto extent = limited_extent(finding, submission_run, axis);
    const auto limit = extent ? limit_along(axis, limits_to(code, *extent, launch->line)) : std::nullopt;
    if (!limit) continue;
    if (found) return false;
    found = limit;
    of_axis = axis;
    blocks = *extent;
  }
  if (!found) return false;
  if (const std::set<std::uint32_t> steps = lines_of_steps(code, finding.kernel); !steps.empty()) {
    show_step(finding, *found, steps, blocks, kGridAxes[of_axis]);
    return true;
  }
  const std::string& file = finding.where.file;
  const LimitText& where = found->limit;
  finding.other = OtherPlace{"the launch", {file, launch->line, launch->column}, {}, {}};
  if (where.line == launch->line) finding.other.reset();
  finding.where = {file, where.line, where.column};
  finding.kernel.clear();
  finding.help = fmt::format(
      "{2} allows no more than {0} blocks along {1}, and no thread goes on to the elements behind them: leave out the "
      "limit, or let each thread do several elements in a loop with the step `gridDim.{1} * blockDim.{1}`",
      blocks, kGridAxes[of_axis], quoted_limit(where));
  finding.proposed = without_limit(*found);
  return true;
}

}  // namespace cudalabs
