// Both are seen in the text of the kernel.
#include "explain/elements/thread_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/launch_reach.h"
#include "check/origin_place.h"
#include "source/called_functions.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/setting_text.h"
#include "source/thread_axis.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool has_too_few_threads(const MergedFinding& finding) {
  return finding.id == finding_ids::kUnwrittenOutput && finding.reach == Reach::too_few;
}

/// Of what a lab knows, what such a loop does as well: parts of a sum are left out, or those of the first round come
/// again.
bool may_come_of_rounds(std::string_view detector) {
  return detector.starts_with("product_first_tile") || detector.starts_with("sum_of_") ||
         detector.starts_with("sum_with");
}

/// Wrong values that are 0, are those of another row, or have nothing in common that is known.
bool is_unexplained(const MergedFinding& finding) {
  const bool open = !finding.values || *finding.values == ValueKind::zero || *finding.values == ValueKind::misplaced;
  return finding.id == finding_ids::kResultMismatch && !finding.right_at_first &&
         ((open && finding.detector.empty()) || may_come_of_rounds(finding.detector));
}

/// The place that stores, which may stand beside the one that is blamed.
SourcePlace storing_place(const MergedFinding& finding) {
  return finding.other && finding.other->label == kStoredHere ? finding.other->place : finding.where;
}

/// A sum of all rounds, which is stored behind them, ends with those of the first, as if it had another length.
bool stops_with_first_round(const MergedFinding& finding, const UnresetCounter& loop) {
  const bool stops = finding.detector == "product_stops_early" || finding.detector.starts_with("product_sums_");
  return finding.id == finding_ids::kResultMismatch && stops && storing_place(finding).line > loop.last_of_outer;
}

/// In the kernel of the finding and the functions that it calls, where another line is blamed.
std::optional<UnresetCounter> unreset_counter_in_kernel(const MergedFinding& finding, std::string_view source) {
  if (finding.kernel.empty()) return std::nullopt;
  const std::string code = without_comments(source);
  return unreset_counter_in_any(code, functions_reached_from(code, plain_name(finding.kernel)));
}

/// A read of what nobody wrote to an array that the loop stores to.
bool misses_stores_of(const MergedFinding& finding, std::string_view body) {
  if (finding.id != finding_ids::kUninitializedRead) return false;
  const AccessFacts& access = finding.access;
  const std::string_view name = access.shared_array.empty() ? access.array : access.shared_array;
  const std::string_view array = name.substr(0, end_of_word(name, 0));
  bool stores = false;
  for_each_name(body, [&](std::size_t, std::string_view word) { stores = stores || word == array; });
  return stores && !array.empty();
}

/// A loop that another one has left nothing to do, where that may be why.
bool show_spent_loop(MergedFinding& finding, std::string_view source) {
  const bool wrong = finding.id == finding_ids::kResultMismatch && !finding.right_at_first;
  if (!wrong && finding.id != finding_ids::kUninitializedRead) return false;
  const std::string code = without_comments(source);
  const auto loop = spent_loop_at(code, finding.where.line);
  if (!loop || !(wrong || misses_stores_of(finding, loop->body))) return false;
  const std::string& counter = loop->second.names.front();
  if (finding.where.line != loop->second.line)
    finding.other = OtherPlace{wrong ? std::string(kStoredHere) : "and this reads what it leaves out",
                               wrong ? storing_place(finding) : finding.where,
                               {},
                               {}};
  finding.where = {finding.where.file, loop->second.line, loop->second.column};
  finding.proven = true;
  finding.help = fmt::format(
      "the loop in line {0} has taken `{1}` to its end, and this one does nothing: set `{1}` anew for each loop, `for "
      "(int {1} = ...; ...)`",
      loop->first, counter);
  return true;
}

/// A loop around the store goes on to further elements. Not where it is sure that it does so along another axis than
/// the one which has too few threads.
bool goes_on_to_missing(const MergedFinding& finding, std::string_view source, std::uint32_t store) {
  constexpr std::size_t kMostCounters = 8;  // a text may be made to be long to read
  std::vector<std::string> counters = counted_subscripts(source, store);
  counters.resize(std::min(counters.size(), kMostCounters));
  const char axis = short_axis_in(finding.help);
  const std::string code = axis == '\0' ? std::string() : without_comments(source);
  return std::ranges::any_of(counters, [&](const std::string& counter) {
    const std::string axes = axis == '\0' ? std::string() : axes_of_variable(code, store, counter);
    return axes.empty() || axes.find(axis) != std::string::npos;
  });
}

/// The launch is blamed for the elements that the kernel's outer loop is to go on to, which it does in vain.
bool ends_along_short_axis(const MergedFinding& finding, std::string_view source, std::uint32_t outer) {
  const char axis = short_axis_in(finding.help);
  if (!has_too_few_threads(finding) || axis == '\0') return false;
  const std::string code = without_comments(source);
  const std::vector<LoopText> loops = loops_of(code);
  const auto loop = std::ranges::find(loops, outer, &LoopText::line);
  if (loop == loops.end()) return false;
  const std::string_view condition = without_outer_spaces(loop->condition);
  const std::string_view counter = condition.substr(0, end_of_word(condition, 0));
  return is_identifier(counter) && axes_of_variable(code, outer, counter) == std::string(1, axis);
}

/// A loop of the functions that the kernel calls goes on by the whole grid, along the axis which has too few threads
/// where that is known: what stores is handed to it, such as a lambda.
std::optional<SourcePlace> called_grid_loop(const MergedFinding& finding, std::string_view source) {
  if (finding.kernel.empty()) return std::nullopt;
  const char axis = short_axis_in(finding.help);
  const std::string code = without_comments(source);
  std::vector<FunctionBody> functions = functions_reached_from(code, plain_name(finding.kernel));
  std::erase_if(functions, [&](const FunctionBody& body) {
    const bool is_own = body.name == plain_name(finding.kernel);
    return is_own || !has_name(std::string_view(code).substr(body.begin, body.end - body.begin), "gridDim");
  });
  if (functions.empty()) return std::nullopt;
  constexpr std::size_t kMostTried = 64;  // a text may be made to be long to read
  std::size_t tried = 0;
  for (const LoopText& loop : loops_of(code)) {
    if (function_at(functions, loop.begin) == nullptr) continue;
    if (++tried > kMostTried) return std::nullopt;
    const std::string_view condition = without_outer_spaces(loop.condition);
    const std::string_view counter = condition.substr(0, end_of_word(condition, 0));
    const std::string axes = is_identifier(counter) ? axes_of_variable(code, loop.line, counter) : std::string();
    if (axis == '\0' ? !axes.empty() : axes.find(axis) != std::string::npos)
      return SourcePlace{finding.where.file, loop.line, loop.column};
  }
  return std::nullopt;
}

/// A loop of another function is to blame, and not the launch.
void blame_called_loop(MergedFinding& finding, std::string_view source, const SourcePlace& loop) {
  const auto around = function_around_line(without_comments(source), finding.other->place.line);
  if (around && around->name == plain_name(finding.kernel)) {
    finding.other = OtherPlace{std::string(kStoredHere), finding.other->place, {}, {}};
  } else {
    finding.other.reset();
  }
  finding.where = loop;
  finding.reach = Reach::several_each;
}

/// The line that stores is to blame, and not the launch.
void blame_store(MergedFinding& finding) {
  finding.where = finding.other->place;
  finding.other.reset();
  finding.reach = Reach::several_each;
}

}  // namespace

bool show_thread_loop(MergedFinding& finding, std::string_view source) {
  const bool launch_blamed = has_too_few_threads(finding) && finding.other && finding.other->place.known() &&
                             finding.other->place.file == finding.where.file;
  const std::uint32_t store = launch_blamed ? finding.other->place.line : finding.where.line;
  if (launch_blamed && goes_on_to_missing(finding, source, store)) blame_store(finding);
  const auto called =
      launch_blamed && finding.reach == Reach::too_few ? called_grid_loop(finding, source) : std::nullopt;
  const bool unwritten = finding.id == finding_ids::kUnwrittenOutput && finding.reach == Reach::several_each;
  const auto near = unreset_counter_at(source, store);
  const auto loop = near ? near : unreset_counter_in_kernel(finding, source);
  if (!loop || !(unwritten || ends_along_short_axis(finding, source, loop->outer) || is_unexplained(finding) ||
                 stops_with_first_round(finding, *loop) || misses_stores_of(finding, loop->body))) {
    if (called) blame_called_loop(finding, source, *called);
    return show_spent_loop(finding, source);
  }
  const std::string& counter = loop->inner.names.front();
  const SourcePlace stored = storing_place(finding);
  const bool reads = finding.id == finding_ids::kUninitializedRead;
  finding.other.reset();
  if (near && stored.line != loop->inner.line)
    finding.other = OtherPlace{reads ? "and this reads what it leaves out" : std::string(kStoredHere), stored, {}, {}};
  finding.where = {finding.where.file, loop->inner.line, loop->inner.column};
  finding.proven = true;
  finding.reach = Reach::unsaid;
  const auto set = last_setting_of(source, loop->outer, counter);
  finding.help = fmt::format(
      "nothing sets `{0}` back: when the loop in line {1} goes round again, this one begins where it ended, and does "
      "nothing; set `{0}` inside the loop of line {1}{2}: `for (int {0} = ...; ...)`",
      counter, loop->outer, set ? fmt::format(", not before it in line {}", set->line) : "");
  return true;
}

}  // namespace cudalabs
