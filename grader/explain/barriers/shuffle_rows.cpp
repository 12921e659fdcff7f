#include "explain/barriers/shuffle_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "check/origin_place.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::uint32_t kWarpLanes = 32;
constexpr std::size_t kLongestShuffle = 500;

/// The counter that a loop around the place begins with.
bool counts_around(const std::vector<LoopText>& loops, std::size_t at, std::string_view name) {
  return std::ranges::any_of(loops, [&](const LoopText& loop) {
    const std::size_t sign = loop.first.find('=');
    return loop.begin <= at && at < loop.end && sign != kNowhere && word_before(loop.first, sign) == name;
  });
}

/// Threads of a block along x and y, where they are the same in all launches of the kernel.
std::optional<Index3> block_of(const std::string& kernel, const SubmissionRun& submission_run) {
  std::optional<Index3> block;
  for (const CaseRun& case_run : submission_run.case_runs) {
    for (const vgpu::LaunchCounters& launch : case_run.observed.launches) {
      if (launch.kernel != kernel) continue;
      if (block && *block != launch.config.block) return std::nullopt;
      block = launch.config.block;
    }
  }
  return block;
}

}  // namespace

std::optional<Setting> shuffle_by_counter(std::string_view source, std::string_view kernel) {
  constexpr std::string_view kShuffle = "__shfl_sync";
  if (source.find(kShuffle) == kNowhere) return std::nullopt;
  const std::string code = without_comments(source);
  const std::vector<FunctionBody> bodies = function_bodies(code);
  const auto body = std::ranges::find(bodies, kernel, &FunctionBody::name);
  if (body == bodies.end() || std::ranges::count(bodies, kernel, &FunctionBody::name) != 1) return std::nullopt;
  const std::string_view text = std::string_view(code).substr(0, body->end);
  std::optional<std::size_t> call;
  bool several = false;
  for_each_name(text.substr(body->begin), [&](std::size_t place, std::string_view name) {
    if (name != kShuffle) return;
    several = several || call;
    call = body->begin + place;
  });
  if (!call || several) return std::nullopt;
  const std::size_t open = past_spaces(text, *call + kShuffle.size());
  const std::size_t end = open < text.size() && text[open] == '('
                              ? past_bracket(text.substr(0, std::min(text.size(), open + kLongestShuffle)), open)
                              : kNowhere;
  if (end == kNowhere) return std::nullopt;
  const auto arguments = items_of(text.substr(open + 1, end - open - 2));
  if (arguments.size() != 3 || !counts_around(loops_of(code), *call, arguments[2])) return std::nullopt;
  return setting_at_place(code, *call, kShuffle);
}

bool show_shuffle_across_rows(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (!finding.is_of_values() || finding.kernel.empty() || finding.right_at_first) return false;
  const auto block = block_of(finding.kernel, submission_run);
  const bool in_rows = block && (*block)[0] < kWarpLanes && std::has_single_bit((*block)[0]) && (*block)[1] > 1;
  const auto call = in_rows ? shuffle_by_counter(source, plain_name(finding.kernel)) : std::nullopt;
  if (!call) return false;
  const std::uint32_t width = (*block)[0];
  if (finding.where.line != call->line) finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {finding.where.file, call->line, call->column};
  finding.help = fmt::format(
      "a warp has {} lanes, and holds {} rows of this block of {} × {} threads: without a width, `__shfl_sync` counts "
      "the lanes from the first row on, for all rows; give it the width {} as its fourth argument",
      kWarpLanes, kWarpLanes / width, width, (*block)[1], width);
  finding.proven = true;
  return true;
}

}  // namespace cudalabs
