// The index is worked out for the first and the last thread of a block, in the first and the last round.
#include "explain/elements/repeated_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "source/case_value.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The only axis along which the two blocks lie apart.
std::optional<std::size_t> axis_between(const Index3& block, const Index3& other) {
  std::optional<std::size_t> found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (block[axis] == other[axis]) continue;
    if (found) return std::nullopt;
    found = axis;
  }
  return found;
}

/// With the counter's first value, or another one, in its place.
std::string with_value(std::string_view text, std::string_view counter, std::string_view value) {
  std::string result;
  std::size_t done = 0;
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    if (word != counter) return;
    result += text.substr(done, at - done);
    result += fmt::format("({})", value);
    done = at + counter.size();
  });
  return result + std::string(text.substr(done));
}

/// An index that the rounds of a loop change, in its first, its second and its last round.
struct SteppedIndex {
  std::string name;
  std::uint32_t line = 0;  // where it gets its value
  CaseExpression first, second, last;
};

/// How many values the index goes through in a block, and how far from there the next block begins.
struct BlockValues {
  std::int64_t values = 0, distance = 0;

  bool operator==(const BlockValues&) const = default;
};

std::optional<BlockValues> values_in_block(const SteppedIndex& index, const vgpu::LaunchConfig& config,
                                           const std::map<std::string, std::int64_t>& sizes, std::size_t axis) {
  if (config.grid[axis] < 2) return std::nullopt;
  LaunchedThread begin{config}, next{config}, end{config};
  next.block[axis] = 1;
  end.thread = last_thread(config).thread;
  const auto first = value_of(index.first, sizes, &begin), second = value_of(index.first, sizes, &next),
             last = value_of(index.last, sizes, &end);
  const auto of_round = value_of(index.first, sizes, &end), round = value_of(index.second, sizes, &begin);
  if (!first || !second || !last || !of_round || !round) return std::nullopt;
  // Rounds that are further apart leave out what other blocks may do.
  if (*round <= *first || *round - *first > *of_round - *first + 1) return std::nullopt;
  return BlockValues{*last - *first + 1, *second - *first};
}

/// "row" of "const int row = row0 + r * 16;" where the loop counts `r`, for a store that uses it.
std::vector<SteppedIndex> indices_of(std::string_view code, const FunctionBody& function, std::uint32_t line,
                                     const CaseExpressions& expressions) {
  constexpr std::size_t kMostNames = 12;  // a text may be made to be long to read
  std::vector<SteppedIndex> found;
  const std::size_t place = place_of_line(code, line, 0);
  const std::vector<LoopText> loops = loops_of(code);
  const LoopText* const loop = place == kNowhere ? nullptr : innermost_loop(loops, place);
  const std::vector<std::string_view> counters =
      loop == nullptr ? std::vector<std::string_view>() : changed_names(loop->step);
  if (counters.size() != 1 || loop->step.find("++") == kNowhere) return found;
  // The loop may be left early, past the last element.
  const std::string_view counter = counters.front(), end = end_of_counting(loop->condition, counter);
  const std::size_t sign = loop->first.find('=');
  if (end.empty() || sign == kNowhere || !has_name(loop->first.substr(0, sign), counter)) return found;
  const std::string_view begin = without_outer_spaces(loop->first.substr(sign + 1));
  std::size_t names = 0;
  for_each_name(text_lines(code)[line - 1], [&](std::size_t, std::string_view name) {
    if (++names > kMostNames) return;
    const auto set = expressions.only_setting(name, function);
    if (!set || set->line > line || !has_name(set->value, counter)) return;
    auto first = expressions.of(with_value(set->value, counter, begin), set->line, function);
    auto second = expressions.of(with_value(set->value, counter, fmt::format("({}) + 1", begin)), set->line, function);
    auto last = expressions.of(with_value(set->value, counter, fmt::format("({}) - 1", end)), set->line, function);
    if (first && second && last && !first->counted && !last->counted)
      found.push_back({std::string(name), set->line, *std::move(first), *std::move(second), *std::move(last)});
  });
  return found;
}

/// The line up to `line` and in the function that has that number of the block; 0: there are several, or none.
std::uint32_t line_of_block(std::string_view code, const FunctionBody& function, std::uint32_t line,
                            const std::string& number) {
  const std::size_t end = std::min(place_of_line(code, line + 1, 0), function.end);
  const std::size_t at = code.find(number, function.begin);
  if (at == kNowhere || at >= end) return 0;
  const std::size_t again = code.find(number, at + 1);
  return again != kNowhere && again < end ? 0 : line_at(code, at);
}

void show(MergedFinding& finding, std::string_view code, const FunctionBody& function, const SteppedIndex& index,
          const BlockValues& values, std::size_t axis) {
  const char letter = "xyz"[axis];
  const std::string number = fmt::format("blockIdx.{}", letter);
  const std::uint32_t begins = line_of_block(code, function, finding.where.line, number);
  if (begins != 0 && begins != finding.where.line)
    finding.other = OtherPlace{"this says where a block begins", {finding.where.file, begins, 0}, {}, {}};
  finding.help = fmt::format(
      "along {0} blocks begin {1} values of `{2}` apart, but each goes through {3}, so neighbours do the same "
      "elements: begin at `{4} * {3}`, and launch one block for each {3}",
      letter, values.distance, index.name, values.values, number);
}

}  // namespace

void show_repeated_blocks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kGlobalRace && finding.is_in_file(file) && finding.block &&
                      finding.other && finding.other->block && finding.other->place.line == finding.where.line;
    const auto axis = open ? axis_between(*finding.block, *finding.other->block) : std::nullopt;
    if (!axis) continue;
    if (code.empty()) code = without_comments(source);
    const auto function = function_around_line(code, finding.where.line);
    if (!function) continue;
    std::set<std::string> sizes;
    for (const CaseRun& case_run : submission_run.case_runs)
      for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
    const CaseExpressions expressions(code, std::move(sizes));
    if (!expressions.is_kernel(*function)) continue;
    for (const SteppedIndex& index : indices_of(code, *function, finding.where.line, expressions)) {
      std::optional<BlockValues> found;
      bool same = true;
      for (const CaseRun& case_run : submission_run.case_runs) {
        if (!finding.is_seen_in(case_run.test.spec.name)) continue;
        for (const vgpu::LaunchCounters& launch : case_run.observed.launches) {
          if (launch.kernel != finding.kernel) continue;
          const auto values = values_in_block(index, launch.config, case_run.test.spec.parameters, *axis);
          same = same && (!values || !found || *values == *found);
          if (values) found = values;
        }
      }
      if (!found || !same || found->distance <= 0 || found->distance >= found->values) continue;
      show(finding, code, *function, index, *found, *axis);
      break;
    }
  }
}

}  // namespace cudalabs
