#include "explain/elements/column_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/origin_place.h"
#include "check/region.h"
#include "explain/elements/output_extents.h"
#include "explain/elements/seen_output.h"
#include "source/function_text.h"
#include "source/launch_text.h"
#include "source/rounded_count.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"

namespace cudalabs {
namespace {

/// Rows and columns that a launch stored, all of them.
struct Rectangle {
  std::uint64_t launch = 0;
  std::int64_t top = 0, bottom = 0, left = 0, right = 0;  // `bottom` and `right` are behind the last ones
  bool has_idle_threads = false;                          // in a row: the guard keeps some from storing

  bool operator==(const Rectangle&) const = default;
};

struct ColumnParts {
  const CaseRun* case_run = nullptr;
  std::int64_t columns = 0, first_missing = 0;
  std::vector<Rectangle> launches;
};

std::optional<Rectangle> rectangle_of(const vgpu::StoreExtent& extent, std::int64_t columns, std::int64_t bytes,
                                      const vgpu::LaunchConfig& config) {
  const auto first = static_cast<std::int64_t>(extent.first) / bytes,
             last = static_cast<std::int64_t>(extent.end) / bytes - 1;
  Rectangle found{extent.launch, first / columns, last / columns + 1, first % columns, last % columns + 1};
  const std::int64_t width = found.right - found.left, area = (found.bottom - found.top) * width;
  if (width <= 0 || area != static_cast<std::int64_t>(extent.stores)) return std::nullopt;
  found.has_idle_threads = std::int64_t{config.grid[0]} * config.block[0] > width;
  return found;
}

/// What no launch stored is missing, and nothing else: these are the columns from one on, in all rows.
std::optional<std::int64_t> first_missing_column(const Comparison& comparison, const std::vector<Rectangle>& parts) {
  const std::int64_t columns = comparison.grid().columns, rows = comparison.grid().rows;
  std::int64_t stored = 0;
  for (const Rectangle& part : parts) stored = std::max(stored, part.right);
  if (stored >= columns) return std::nullopt;
  std::vector<bool> covered(static_cast<std::size_t>(rows * columns));
  for (const Rectangle& part : parts) {
    for (std::int64_t row = part.top; row < std::min(part.bottom, rows); ++row)
      for (std::int64_t column = part.left; column < part.right; ++column)
        covered[static_cast<std::size_t>(row * columns + column)] = true;
  }
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const bool is_left = static_cast<std::int64_t>(i) % columns < stored;
    if (covered[i] != is_left || covered[i] == (comparison.fault[i] == Fault::unwritten)) return std::nullopt;
  }
  return stored;
}

/// Those of the last call of the program's function are the last launches: as few as leave out just what is missing.
/// Nothing where it is not so.
std::optional<ColumnParts> column_parts_of(const CaseRun& case_run, const Comparison& comparison,
                                           const MergedFinding& finding) {
  constexpr std::size_t kMostLaunches = 16;
  const Observation& observed = case_run.observed;
  const std::int64_t columns = comparison.grid().columns;
  const auto bytes = static_cast<std::int64_t>(datasets::size_in_bytes(comparison.type));
  if (columns < 2 || comparison.elements() == 0) return std::nullopt;
  ColumnParts parts{&case_run, columns, 0, {}};
  std::vector<vgpu::StoreExtent> extents = extents_of(finding.output, observed);
  std::ranges::sort(extents, std::ranges::greater(), &vgpu::StoreExtent::launch);
  std::uint64_t next = observed.launches.size();  // launches of other kernels may come between
  for (const vgpu::StoreExtent& extent : extents) {
    const bool known = extent.kernel == finding.kernel && extent.launch > 0 && extent.launch <= next &&
                       extent.first < extent.end && parts.launches.size() < kMostLaunches;
    for (; known && next > extent.launch; --next)
      if (observed.launches[next - 1].kernel == finding.kernel) return std::nullopt;
    const auto part = known ? rectangle_of(extent, columns, bytes, observed.launches[next - 1].config) : std::nullopt;
    if (!part) return std::nullopt;
    --next;
    parts.launches.insert(parts.launches.begin(), *part);
    const auto missing = parts.launches.size() < 2 ? std::nullopt : first_missing_column(comparison, parts.launches);
    if (!missing) continue;
    parts.first_missing = *missing;
    return parts;
  }
  return std::nullopt;
}

/// Of the case that the finding shows; nothing where one of its cases is otherwise.
std::optional<ColumnParts> shown_parts(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::optional<ColumnParts> shown;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    auto parts = comparison == nullptr ? std::nullopt : column_parts_of(*case_run, *comparison, finding);
    if (!parts) return std::nullopt;
    if (!shown || case_run->test.spec.name == finding.shown) shown = std::move(parts);
  }
  return shown;
}

/// The number of blocks in a row is rounded up, so that a launch has threads for all that it is given.
bool rounds_up_blocks(std::string_view source, const LaunchText& launch) {
  if (rounds_up(source, launch.line)) return true;
  const auto first = items_of(launch.configuration);
  if (first.empty() || !is_identifier(first.front())) return false;
  const auto grid = last_setting_of(source, launch.line, first.front());
  return grid && rounds_up(source, grid->line);
}

struct CallOfItself {
  std::size_t place = 0;
  std::vector<std::string_view> arguments;
};

std::vector<CallOfItself> calls_of_itself(std::string_view code, const FunctionBody& function) {
  std::vector<CallOfItself> calls;
  for_each_name(code.substr(function.begin, function.end - function.begin), [&](std::size_t at, std::string_view name) {
    const std::size_t place = function.begin + at, open = past_spaces(code, place + name.size());
    if (name != function.name || calls.size() > 2 || open >= code.size() || code[open] != '(') return;
    const std::size_t end = past_bracket(code, open);
    if (end != kNowhere) calls.push_back({place, items_of(code.substr(open + 1, end - open - 2))});
  });
  return calls;
}

/// "half", of which both parts of "cols" take as many.
struct SecondPart {
  std::uint32_t line = 0;
  std::string taken, whole;
};

bool is_set_from(std::string_view source, std::string_view code, std::uint32_t line, std::string_view name,
                 std::string_view whole) {
  const auto set = last_setting_of(source, line, name);
  if (!set) return false;
  bool found = false;
  for_each_name(text_lines(code)[set->line - 1], [&](std::size_t, std::string_view word) { found |= word == whole; });
  return found;
}

/// A function calls itself for two parts: the second begins where the first ends, and takes as much.
std::optional<SecondPart> second_part(std::string_view source, std::string_view code, const LaunchText& launch) {
  const auto function = function_around_line(code, launch.line);
  if (!function) return std::nullopt;
  const std::vector<CallOfItself> calls = calls_of_itself(code, *function);
  if (calls.size() != 2 || calls[0].arguments.size() != calls[1].arguments.size()) return std::nullopt;
  const std::uint32_t line = line_at(code, calls[1].place);
  for (std::size_t i = 0; i < std::min(calls[0].arguments.size(), function->parameters.size()); ++i) {
    const std::string taken(calls[0].arguments[i]), whole = parameter_name(function->parameters[i]);
    if (taken != calls[1].arguments[i] || !is_identifier(taken) || taken == whole) continue;
    bool begins_behind = false;
    for (std::size_t k = 0; k < calls[0].arguments.size(); ++k)
      begins_behind |= calls[1].arguments[k] == fmt::format("{} + {}", calls[0].arguments[k], taken);
    if (begins_behind && is_set_from(source, code, line, taken, whole)) return SecondPart{line, taken, whole};
  }
  return std::nullopt;
}

std::string columns_text(std::int64_t first, std::int64_t end) {
  return end - first == 1 ? fmt::format("column {}", first) : fmt::format("columns {} to {}", first, end - 1);
}

/// "columns 0 to 319 and 320 to 639"; of more launches all together.
std::string stored_text(const ColumnParts& parts) {
  const auto& launches = parts.launches;
  if (launches.size() != 2 || launches[0].right != launches[1].left) return columns_text(0, parts.first_missing);
  return fmt::format("{} and {} to {}", columns_text(0, launches[0].right), launches[1].left, launches[1].right - 1);
}

}  // namespace

bool explain_column_parts(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const auto parts = shown_parts(finding, submission_run);
  if (!parts) return false;
  const std::string code = without_comments(source);
  const auto launch = only_launch(code, plain_name(finding.kernel));
  const bool have_threads = std::ranges::all_of(parts->launches, &Rectangle::has_idle_threads) ||
                            (launch && rounds_up_blocks(source, *launch));
  if (!have_threads) return false;
  replace_rest(finding.message, fmt::format(": {}", kBeyondLastBlock), "; no launch was given it");
  const std::string stored =
      parts->case_run->test.spec.hidden
          ? std::string("each launch stores all that it is given, and none is given the last columns")
          : fmt::format("the {} launches store {} of {}, all that they are given", parts->launches.size(),
                        stored_text(*parts), parts->columns);
  const auto second = launch ? second_part(source, code, *launch) : std::nullopt;
  if (!second) {
    finding.help = Help::where_to_look(fmt::format(
        "{}: look at where each part begins and how wide it is; the last one must take all that is left", stored));
    return true;
  }
  finding.help = fmt::format("{}: give this call what is left, `{} - {}`", stored, second->whole, second->taken);
  finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {finding.where.file, second->line, 0};
  finding.note.insert(0,
                      fmt::format("this part begins behind the first `{0}`, and takes `{0}` again\n", second->taken));
  finding.proven = true;
  finding.kernel.clear();
  return true;
}

}  // namespace cudalabs
