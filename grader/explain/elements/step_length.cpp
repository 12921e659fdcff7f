// A step from the text is tried on what is missing.
#include "explain/elements/step_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/origin_place.h"
#include "explain/elements/output_extents.h"
#include "explain/elements/seen_output.h"
#include "explain/places/set_here.h"
#include "source/loop_text.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer.
constexpr std::size_t kMostSteps = 6, kMostLoops = 8;

enum class Unit : std::uint8_t { row, column, element };

/// Which of them are missing: each as a whole, or not at all.
std::optional<std::vector<bool>> missing_units(const Comparison& comparison, Unit unit) {
  if (comparison.shape.size() < 2 && unit != Unit::element) return std::nullopt;
  const GridShape shape = comparison.grid();
  const std::int64_t count = unit == Unit::row      ? shape.rows
                             : unit == Unit::column ? shape.columns
                                                    : comparison.elements();
  std::vector<bool> missing(static_cast<std::size_t>(count)), seen(missing.size());
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    const auto at = static_cast<std::size_t>(unit == Unit::row      ? i / shape.columns
                                             : unit == Unit::column ? i % shape.columns
                                                                    : i);
    const bool unwritten = comparison.fault[static_cast<std::size_t>(i)] == Fault::unwritten;
    if (seen[at] && missing[at] != unwritten) return std::nullopt;
    missing[at] = unwritten;
    seen[at] = true;
  }
  return missing;
}

/// A loop around a store, and what its counter goes on by.
struct Step {
  std::uint32_t line = 0, column = 0;
  std::string_view counter, expression;
  std::uint32_t expression_line = 0;
};

/// "row += step" in the text: the counter that the loop's condition asks for.
void add_steps_in(std::string_view code, std::string_view text, const LoopText& loop, std::vector<Step>& steps) {
  std::set<std::string_view> asked;
  for_each_name(loop.condition, [&](std::size_t, std::string_view name) { asked.insert(name); });
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    const std::size_t sign = past_spaces(text, at + name.size());
    if (!text.substr(sign).starts_with("+=") || !asked.contains(name) || steps.size() >= kMostSteps) return;
    const std::size_t begin = sign + 2, end = std::min(text.find_first_of(";,", begin), text.size());
    steps.push_back({loop.line, loop.column, name, text.substr(begin, end - begin),
                     line_at(code, static_cast<std::size_t>(text.data() - code.data()) + begin)});
  });
}

/// Of the loops around the statement in `line`, the outermost first.
std::vector<Step> steps_around(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  std::vector<Step> steps;
  if (line == 0 || line > lines.size()) return steps;
  const std::string_view text = lines[line - 1];
  const std::size_t place = static_cast<std::size_t>(text.data() - code.data()) + past_spaces(text, 0);
  std::size_t around = 0;
  for (const LoopText& loop : loops_of(code)) {
    if (loop.body > place || loop.end <= place || ++around > kMostLoops) continue;
    const bool counts = past_spaces(loop.step, 0) < loop.step.size();
    add_steps_in(code, counts ? loop.step : code.substr(loop.body, loop.end - loop.body), loop, steps);
  }
  return steps;
}

/// What one case says: a round covers units from `first` to before `first + covered`, and the next one begins `step`
/// after the first.
struct Round {
  const CaseRun* case_run = nullptr;
  vgpu::LaunchConfig launch;
  std::int64_t first = 0, covered = 0, step = 0, count = 0;
  std::uint64_t threads = 0;  // that came to the line; 0: not known
  bool came_again = false;    // a second round stored something
};

std::int64_t along(const vgpu::LaunchConfig& launch, std::size_t axis) {
  return std::int64_t{launch.grid[axis]} * launch.block[axis];
}

std::int64_t threads_of_step(const vgpu::LaunchConfig& launch) {
  return along(launch, 0) * along(launch, 1) * along(launch, 2);
}

/// What a launch has as many of: in words, where that is clear.
std::string name_of(std::int64_t number, const vgpu::LaunchConfig& launch, Unit unit) {
  constexpr std::array<char, 3> kAxes{'x', 'y', 'z'};
  std::vector<std::pair<std::size_t, std::size_t>> found;  // grid, block
  for (std::size_t grid = 0; grid < 3; ++grid)
    for (std::size_t block = 0; block < 3; ++block)
      if (std::int64_t{launch.grid[grid]} * launch.block[block] == number) found.emplace_back(grid, block);
  const std::size_t own = unit == Unit::row ? 1 : 0;
  const auto preferred = std::ranges::find(found, std::pair(own, own));
  const bool two_axes = launch.grid[1] * launch.block[1] > 1;
  if (preferred != found.end() && (two_axes || own == 0) && number > 1)
    return fmt::format("`gridDim.{0} * blockDim.{0}`", kAxes[own]);
  if (number * 32 == threads_of_step(launch)) return "the number of all warps";
  if (number == static_cast<std::int64_t>(launch.blocks())) return "the number of all blocks";
  if (number == threads_of_step(launch)) return "the number of all threads";
  if (found.size() == 1)
    return fmt::format("`gridDim.{} * blockDim.{}`", kAxes[found[0].first], kAxes[found[0].second]);
  return {};
}

/// So many units are what a whole round of the launch may be.
bool is_whole_round(std::int64_t covered, const vgpu::LaunchConfig& launch) {
  const std::int64_t threads = threads_of_step(launch);
  return covered == along(launch, 0) || covered == along(launch, 1) || covered == threads || covered * 32 == threads ||
         covered == static_cast<std::int64_t>(launch.blocks()) || covered == launch.grid[1];
}

/// The only launch of the kernel in the last call, and what was stored from that line.
std::optional<Round> launched_round(const CaseRun& case_run, const MergedFinding& finding, const SourcePlace& store) {
  const Observation& observed = case_run.observed;
  const auto is_own = [&](const vgpu::LaunchCounters& launch) { return launch.kernel == finding.kernel; };
  const std::ptrdiff_t calls = observed.outputs_before.empty() ? 1 : 2;
  if (std::ranges::count_if(observed.launches, is_own) != calls) return std::nullopt;
  Round round;
  round.case_run = &case_run;
  round.launch = std::ranges::find_if(observed.launches.rbegin(), observed.launches.rend(), is_own)->config;
  std::uint64_t last = 0;
  for (const vgpu::StoreExtent& extent : extents_of(finding.output, observed)) {
    if (extent.where.line != store.line || extent.where.file != store.file || extent.launch < last) continue;
    last = extent.launch;
    round.threads = extent.threads;
    round.first = static_cast<std::int64_t>(extent.first);
  }
  return round;
}

/// The step leaves out what is missing, and nothing else.
bool fits(Round& round, const std::vector<bool>& missing) {
  round.count = std::ssize(missing);
  if (round.first >= round.count || round.step < 1) return false;
  const auto begin = missing.begin() + round.first;
  if (std::find(missing.begin(), begin, true) != begin) return false;
  round.covered = std::find(begin, missing.end(), true) - begin;
  if (round.covered < 1 || round.covered >= round.step || round.first + round.covered == round.count) return false;
  for (std::int64_t i = round.first; i < round.count; ++i) {
    const bool left_out = (i - round.first) % round.step >= round.covered;
    if (left_out != missing[static_cast<std::size_t>(i)]) return false;
  }
  round.came_again = round.first + round.step < round.count;
  return true;
}

/// That the step is the cause, and not the end of the loop: the threads came again, or all that are launched, or all
/// that came to the loop, did a round.
bool is_sure(const Round& round, Unit unit) {
  if (round.came_again || (round.first == 0 && is_whole_round(round.covered, round.launch))) return true;
  return unit == Unit::element && static_cast<std::int64_t>(round.threads) == round.covered && round.first > 0;
}

/// The rounds of all cases by that step; none: some case does not fit.
std::vector<Round> rounds_of(const Step& step, Unit unit, const MergedFinding& finding, const SourcePlace& store,
                             const SourceNumbers& numbers, const SubmissionRun& submission_run) {
  std::vector<Round> rounds;
  bool sure = false;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr || comparison->elements() == 0) return {};
    auto round = launched_round(*case_run, finding, store);
    const auto missing = missing_units(*comparison, unit);
    if (!round || !missing) return {};
    const auto bytes = static_cast<std::int64_t>(datasets::size_in_bytes(comparison->type));
    round->first /= bytes * (unit == Unit::row ? comparison->grid().columns : 1);
    if (unit == Unit::column) round->first %= comparison->grid().columns;
    round->step = numbers.value(step.expression, step.expression_line, &round->launch).value_or(0);
    if (!fits(*round, *missing)) return {};
    sure = sure || is_sure(*round, unit);
    rounds.push_back(*round);
  }
  return sure ? rounds : std::vector<Round>();
}

const Round& spoken_of(const std::vector<Round>& rounds, const MergedFinding& finding) {
  const auto shown =
      std::ranges::find_if(rounds, [&](const Round& round) { return round.case_run->test.spec.name == finding.shown; });
  return shown == rounds.end() ? rounds.front() : *shown;
}

std::string help_of(const Step& step, const Round& round, Unit unit) {
  constexpr std::array<std::string_view, 3> kUnits{"rows", "columns", "elements"};
  const std::string_view units = kUnits[static_cast<std::size_t>(unit)];
  const std::string from = name_of(round.step, round.launch, unit), to = name_of(round.covered, round.launch, unit);
  std::string help =
      round.case_run->test.spec.hidden
          ? fmt::format(
                "a round of the threads covers fewer {0} than `{1}` goes on by, and the {0} in between have no "
                "thread; the step must be what a round covers",
                units, step.counter)
          : fmt::format(
                "a round of the threads covers {0} {1} to {2}, and `{3}` goes on by {4}: the {0} in between have "
                "no thread; here the step must be {5}",
                units, round.first, round.first + round.covered - 1, step.counter, round.step, round.covered);
  if (!to.empty() && !from.empty() && to != from) {
    help += fmt::format(": {}, and not {}", to, from);
  } else if (!to.empty()) {
    help += fmt::format(": {}", to);
  }
  return help;
}

}  // namespace

bool explain_step(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (finding.reach != Reach::several_each || finding.kernel.empty()) return false;
  const std::string code = without_comments(source);
  const SourcePlace store = finding.where;
  const SourceNumbers numbers(code);
  struct Found {
    Step step;
    Unit unit = Unit::row;
    std::vector<Round> rounds;
  };
  std::optional<Found> found;
  for (const Step& step : steps_around(code, store.line)) {
    for (const Unit unit : {Unit::row, Unit::column, Unit::element}) {
      auto rounds = rounds_of(step, unit, finding, store, numbers, submission_run);
      if (rounds.empty()) continue;
      if (found && found->step.line != step.line) return false;
      if (!found) found = Found{step, unit, std::move(rounds)};
    }
  }
  if (!found) return false;
  const auto& [step, unit, rounds] = *found;
  finding.where = {store.file, step.line, step.column};
  finding.proven = true;
  finding.help = help_of(step, spoken_of(rounds, finding), unit);
  const auto setting = numbers.setting_of(step.expression, step.expression_line);
  if (setting && setting->line != step.line) {
    finding.other = set_here(setting->name, {store.file, setting->line, setting->column});
  } else if (store.line != step.line) {
    finding.other = OtherPlace{std::string(kStoredHere), store, {}, {}};
  }
  return true;
}

}  // namespace cudalabs
