#include "explain/elements/block_factor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "check/origin_place.h"
#include "check/region.h"
#include "explain/elements/launch_shape.h"
#include "explain/elements/seen_output.h"
#include "source/source_number.h"
#include "source/template_argument.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "BLOCK" of "blockIdx.x * BLOCK + threadIdx.x", on axis 0.
struct BlockFactor {
  std::string_view text;
  std::size_t axis = 0;
  std::uint32_t line = 0, column = 0;  // of the factor
  bool one_each = false;               // the thread's number is all that is added
};

/// The name or number from `at` on, if nothing else stands to its product.
std::string_view factor_from(std::string_view line, std::size_t at) {
  const std::size_t end = end_of_word(line, at), next = past_spaces(line, end);
  constexpr std::string_view kGoesOn = "*/%(.[";
  return next < line.size() && kGoesOn.find(line[next]) != kNowhere ? std::string_view() : line.substr(at, end - at);
}

/// Of the only use of the block's number in the line; `uses`: whether there is any.
std::optional<BlockFactor> factor_in(std::string_view line, std::uint32_t number, bool& uses) {
  constexpr std::string_view kIndex = "blockIdx.";
  const std::size_t at = line.find(kIndex);
  uses = uses || at != kNowhere;
  const std::size_t axis_at = at == kNowhere ? kNowhere : at + kIndex.size();
  if (at == kNowhere || axis_at >= line.size() || line.find(kIndex, axis_at) != kNowhere) return std::nullopt;
  const std::size_t axis = std::string_view("xyz").find(line[axis_at]);
  const std::size_t before = before_spaces(line, at), behind = past_spaces(line, axis_at + 1);
  if (axis == kNowhere || before == kNowhere || behind >= line.size()) return std::nullopt;
  BlockFactor factor{{}, axis, number, 0};
  std::size_t rest = behind;
  if (line[behind] == '*') {
    factor.text = factor_from(line, past_spaces(line, behind + 1));
    rest = past_spaces(line, past_spaces(line, behind + 1) + factor.text.size());
  } else if (line[before] == '*') {
    factor.text = word_before(line, before);
  }
  if (factor.text.empty()) return std::nullopt;
  factor.column = static_cast<std::uint32_t>(factor.text.data() - line.data()) + 1;
  const std::string thread = fmt::format("threadIdx.{}", line[axis_at]);
  const std::size_t added = rest < line.size() && line[rest] == '+' ? past_spaces(line, rest + 1) : kNowhere;
  const std::size_t end = added == kNowhere ? kNowhere : added + thread.size();
  factor.one_each = end != kNowhere && line.substr(added).starts_with(thread) && past_spaces(line, end) < line.size() &&
                    line[past_spaces(line, end)] == ';';
  return factor;
}

/// Of the case whose elements are told: the kernel's last launch, and what is missing.
struct Shown {
  vgpu::LaunchConfig config;
  std::optional<RepeatedGap> gap;
  std::optional<std::int64_t> written;  // elements, where the missing ones are all that follow
};

std::optional<std::int64_t> written_at_first(const Comparison& comparison) {
  const auto first = comparison.first(Fault::unwritten);
  const bool rest = first && first->index == comparison.elements() - comparison.count(Fault::unwritten);
  return rest ? std::optional(first->index) : std::nullopt;
}

std::optional<Shown> shown_of(const MergedFinding& finding, const SubmissionRun& submission_run) {
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr || case_run->test.spec.name != finding.shown) continue;
    const auto& launches = case_run->observed.launches;
    const auto launch = std::find_if(launches.rbegin(), launches.rend(),
                                     [&](const vgpu::LaunchCounters& one) { return one.kernel == finding.kernel; });
    if (launch == launches.rend()) return std::nullopt;
    Shown shown{launch->config, repeated_gap(mask_of(*comparison, Fault::unwritten)), {}};
    if (is_along_one_axis(launch->config)) shown.written = written_at_first(*comparison);
    return shown;
  }
  return std::nullopt;
}

void explain_factor(MergedFinding& finding, std::string_view code, const SubmissionRun& submission_run) {
  const std::vector<std::string_view> lines = text_lines(code);
  std::vector<std::uint32_t> shown_lines{finding.where.line};
  if (finding.other && finding.other->place.file == finding.where.file)
    shown_lines.push_back(finding.other->place.line);
  std::optional<BlockFactor> factor;
  bool uses_block = false;
  for (const std::uint32_t number : shown_lines) {
    if (number == 0 || number > lines.size()) continue;
    if (const auto found = factor_in(lines[number - 1], number, uses_block)) factor = found;
  }
  if (uses_block) finding.help = Help::where_to_look("there are threads enough: look at the index and at the guard");
  const auto shown = factor ? shown_of(finding, submission_run) : std::nullopt;
  if (!shown) return;
  auto value = template_argument(code, finding.kernel, factor->text);
  if (!value) value = SourceNumbers(code).value(factor->text, factor->line, &shown->config);
  if (!value || *value < 2) return;
  const std::string worth = is_identifier(factor->text) ? fmt::format("`{}` is {}", factor->text, *value)
                                                        : fmt::format("`{}` stands", factor->text);
  const std::int64_t threads = shown->config.block[factor->axis];
  if (factor->one_each && *value > threads) {
    constexpr std::string_view kAxes = "xyz";
    finding.help = fmt::format(
        "{} in line {}, and this launch has blocks of {} threads along {}: of every {} elements the last {} belong to "
        "no thread. Use `blockDim.{}` there, which is what the launch gives",
        worth, factor->line, threads, kAxes[factor->axis], *value, *value - threads, kAxes[factor->axis]);
    finding.proposed = ProposedChange{factor->line, factor->column, std::string(factor->text),
                                      fmt::format("blockDim.{}", kAxes[factor->axis])};
  } else if (factor->one_each && factor->axis == 0 &&
             shown->written == (shown->config.grid[0] - 1) * *value + threads) {
    finding.help = fmt::format(
        "{} in line {}, and this launch has blocks of {} threads: each block begins only {} elements behind the one "
        "before, so that blocks overlap, and the last elements belong to no thread. Use `blockDim.x` there, which is "
        "what the launch gives",
        worth, factor->line, threads, *value);
    finding.proposed = ProposedChange{factor->line, factor->column, std::string(factor->text), "blockDim.x"};
  } else if (shown->gap && *value == shown->gap->period) {
    finding.help = Help::where_to_look(fmt::format(
        "{} in line {}: each block begins {} elements behind the one before, and stores {} of them. How many does a "
        "block really store?",
        worth, factor->line, *value, *value - shown->gap->missing));
  }
}

/// A grid of blocks of several rows, all along one axis, whose block is `threads` large: how many elements were written
/// before the missing ones, where each block began only as many behind the one before as a row of it has.
bool counts_rows_alone(const vgpu::LaunchConfig& config, const Comparison& comparison) {
  const Index3 &grid = config.grid, &block = config.block;
  const auto written = written_at_first(comparison);
  const bool flat = grid[0] > 1 && grid[1] == 1 && grid[2] == 1 && block[1] > 1 && block[2] == 1 && block[0] > 1;
  return flat && written == std::int64_t{grid[0] - 1} * block[0] + std::int64_t{block[0]} * block[1];
}

/// "blockIdx.x * blockDim.x", or a number or name that is worth as much, in one line of the device's functions.
std::optional<BlockFactor> only_row_factor(std::string_view code, const vgpu::LaunchConfig& config) {
  const std::vector<std::string_view> lines = text_lines(code);
  const SourceNumbers numbers(code);
  std::optional<BlockFactor> found;
  constexpr std::string_view kExtent = "blockDim.x";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const std::size_t at = line.find("blockIdx.x");
    if (at == kNowhere) continue;
    const auto number = static_cast<std::uint32_t>(i + 1);
    bool uses = false;
    auto factor = factor_in(line, number, uses);
    if (factor) {
      const auto value = numbers.value(factor->text, number, &config);
      if (value != std::int64_t{config.block[0]}) return std::nullopt;
    } else {
      const std::size_t sign = past_spaces(line, at + std::string_view("blockIdx.x").size());
      const std::size_t extent = sign < line.size() && line[sign] == '*' ? past_spaces(line, sign + 1) : line.size();
      const std::size_t behind = past_spaces(line, extent + kExtent.size());
      const bool alone = line.substr(extent).starts_with(kExtent) && (behind >= line.size() || line[behind] != '*');
      if (!alone) return std::nullopt;
      factor = BlockFactor{kExtent, 0, number, static_cast<std::uint32_t>(extent) + 1, false};
    }
    if (found) return std::nullopt;
    found = factor;
  }
  return found;
}

/// Missing elements of blocks with several rows, of which the index counts one.
void explain_flat_blocks(MergedFinding& finding, std::string_view code, const SubmissionRun& submission_run) {
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr || case_run->test.spec.name != finding.shown) continue;
    const auto& launches = case_run->observed.launches;
    if (launches.size() != 1 || !counts_rows_alone(launches.front().config, *comparison)) return;
    const Index3& block = launches.front().config.block;
    const auto factor = only_row_factor(code, launches.front().config);
    if (!factor) return;
    if (finding.where.line != factor->line) finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
    finding.where = {finding.where.file, factor->line, factor->column};
    finding.proven = true;
    finding.help = fmt::format(
        "a block of {0} × {1} threads has {2} of them, and this line counts only {0} for each block before: blocks "
        "overlap, and the last elements belong to no thread; multiply by `blockDim.y`, too: `blockIdx.x * blockDim.x * "
        "blockDim.y`",
        block[0], block[1], block[0] * block[1]);
    return;
  }
}

}  // namespace

void explain_block_factors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kUnwrittenOutput || finding.proven || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    explain_flat_blocks(finding, code, submission_run);
    if (finding.proven || !finding.help.advises(Advice::look_at_index)) continue;
    explain_factor(finding, code, submission_run);
  }
}

}  // namespace cudalabs
