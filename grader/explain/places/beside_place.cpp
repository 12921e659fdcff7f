// One function for each kind of cause.
#include "explain/places/beside_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/accesses/given_arguments.h"
#include "explain/accesses/launch_argument.h"
#include "explain/barriers/absent_lanes.h"
#include "explain/barriers/barrier_statement.h"
#include "explain/barriers/same_buffer.h"
#include "explain/barriers/skipped_barrier.h"
#include "explain/barriers/unguarded_step.h"
#include "explain/memory/leaking_call.h"
#include "explain/memory/unnamed_object.h"
#include "source/function_text.h"
#include "source/member_text.h"
#include "source/overlapping_arrays.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/launch_words.h"

namespace cudalabs {
namespace {

/// A line that begins with the brace of a block outside of destructors.
bool ends_block(std::string_view source, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(source);
  if (line == 0 || line > lines.size() || !destructor_around(source, line).empty()) return false;
  const std::string_view text = lines[line - 1];
  return text.substr(past_spaces(text, 0)).starts_with('}');
}

/// A race through two of a launch's arguments that are one array.
void blame_same_array(MergedFinding& finding, std::string_view source) {
  const LaunchFacts& launch = finding.launch;
  const std::string kernel = finding.kernel.substr(0, finding.kernel.find('<'));
  const auto function = only_function(source, kernel);
  const auto name_of = [&](std::uint32_t number) {
    const bool known = function && number <= function->parameters.size();
    const std::string name = known ? parameter_name(function->parameters[number - 1]) : std::string();
    return name.empty() ? fmt::format("argument {}", number) : fmt::format("`{}`", name);
  };
  const auto [first, last] = std::minmax(launch.pointer, launch.other_pointer);
  std::string access = std::move(finding.message);
  finding.message = fmt::format("{} and {} of `{}` are the same array in this launch, and its threads race for it",
                                name_of(first), name_of(last), kernel);
  erase_line(finding.note, vgpu::kSameArrayNote);
  if (finding.other->place.known()) finding.note.insert(0, in_words(*finding.other) + "\n");
  finding.other = OtherPlace{std::move(access), std::move(finding.where), finding.block, finding.thread};
  finding.where = launch.where;
  finding.block.reset();
  finding.thread.reset();
  finding.kernel.clear();
  finding.count = 1;  // of launches
}

/// The size that a launch gives shared memory: the line that computes it.
void show_shared_size(MergedFinding& finding, std::string_view source) {
  OtherPlace& launch = *finding.other;
  const auto setting = setting_of(source, launch.place.line, 0, Part::shared_size);
  if (!setting || finding.id != finding_ids::kSharedOutOfBounds) return;
  replace_begin(launch.label, vgpu::kLaunchAsksFor, fmt::format("`{}` is set here: ", setting->names.front()));
  launch.place = {finding.where.file, setting->line, setting->column};
}

/// "Buffer(const Buffer&) = delete;", without comments.
bool forbids_copies(std::string_view source, std::string_view type) {
  constexpr std::size_t kMostPlaces = 64;  // a text may be made to be long to read
  const std::string code = without_comments(source);
  std::size_t looked_at = 0;
  bool forbidden = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (forbidden || word != type || open >= code.size() || code[open] != '(' || ++looked_at > kMostPlaces) return;
    const auto member = member_from(code, open);
    forbidden = member && member->deleted && has_name(member->parameters, type) &&
                member->parameters.find('&') != kNowhere && member->parameters.find("&&") == kNowhere;
  });
  return forbidden;
}

/// Memory that a destructor has freed. `cause` is where the object ended, which is not known for sure: it must be a
/// line at which objects end.
void name_destructor(MergedFinding& finding, std::string_view source) {
  const std::uint32_t freed = finding.other->place.line, end = finding.cause->place.line;
  const std::string type = destructor_around(source, freed);
  if (type.empty() || finding.cause->place.file != finding.other->place.file) return;
  for (const std::string& name : called_in(source, end)) {
    const auto function = only_function(source, name);
    if (!function) continue;
    const auto copy = std::ranges::find_if(function->parameters,
                                           [&](const std::string& parameter) { return is_copy_of(parameter, type); });
    if (copy == function->parameters.end()) continue;
    finding.note.insert(
        0, fmt::format("`~{}` freed it in line {}, after the call of `{}` in line {}\n", type, freed, name, end));
    finding.other = OtherPlace{
        fmt::format("`{}` is a `{}` of its own: at its end `~{}` frees the memory", parameter_name(*copy), type, type),
        {finding.where.file, function->line, function->column},
        {},
        {}};
    finding.help = fmt::format(
        "pass it by reference, `const {}&`; delete the copy constructor, `{}(const {}&) = delete`, and the compiler "
        "finds such copies",
        type, type, type);
    return;
  }
  if (!ends_block(source, end)) return;
  finding.note.insert(0, fmt::format("`~{}` freed it in line {}\n", type, freed));
  finding.other = OtherPlace{fmt::format("an object of the type `{}` ends here", type), finding.cause->place, {}, {}};
  finding.help = fmt::format(
      "let the `{}` that owns the memory live until the last use{}", type,
      forbids_copies(source, type) ? "" : "; if it is a copy that ends here, do not copy it: pass it by reference");
}

/// A barrier between two accesses that does not wait for all; a stream that was to wait, but does not.
void show_in_place_of_other(MergedFinding& finding) {
  if (finding.other->place.known()) finding.note.insert(0, in_words(*finding.other) + "\n");
  finding.other = finding.cause;
}

/// Of a read of what a later launch writes: where the launch is that reads.
void show_reading_launch(MergedFinding& finding) {
  const SourcePlace& launch = finding.launch.where;
  if (finding.id != finding_ids::kUninitializedRead || finding.access.written != 0 || !launch.known() ||
      launch.file != finding.where.file)
    return;
  finding.note.insert(0, fmt::format("`{}` is launched in line {}, before that\n", finding.kernel, launch.line));
}

/// A message that says `no error`: the next line after the first call that calls it again.
void show_second_question(MergedFinding& finding, std::string_view source) {
  constexpr std::string_view kQuestion = "cudaGetLastError";
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  const std::uint32_t first = finding.cause->place.line;
  if (finding.cause->place.file != finding.where.file) return;
  for (std::size_t i = first; i < lines.size() && !lines[i].starts_with('}'); ++i) {
    if (lines[i].find("<<<") != std::string_view::npos) return;  // what comes then is asked of another launch
    const std::size_t at = lines[i].find(kQuestion);
    if (at == std::string_view::npos) continue;
    if (finding.other && finding.other->place.known()) finding.note.insert(0, in_words(*finding.other) + "\n");
    finding.where = {finding.where.file, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1};
    finding.other = std::exchange(finding.cause, {});
    return;
  }
}

/// Two stores that race since one of their arrays begins inside the other: no barrier helps, where both are needed.
bool blame_overlap(MergedFinding& finding, std::string_view source) {
  if (finding.other->place.file != finding.where.file) return false;
  const auto overlap = overlapping_arrays(source, finding.where.line, finding.other->place.line);
  if (!overlap) return false;
  const auto& [first, second, set] = *overlap;
  finding.note.insert(0, in_words(*finding.other) + "\n");
  finding.other = OtherPlace{"a thread stores here, and another one to the same element", finding.where, {}, {}};
  finding.other->thread = std::exchange(finding.thread, {});
  finding.other->block = std::exchange(finding.block, {});
  finding.where = {finding.where.file, set.line, set.column};
  finding.message =
      fmt::format("`{}` begins inside `{}`: they have elements in common, and threads race for them", second, first);
  finding.help = fmt::format(
      "let `{}` begin after the last element of `{}`, and ask for as much shared memory as both need; put a barrier "
      "between the two stores only if the arrays are meant to share it",
      second, first);
  return true;
}

}  // namespace

std::string in_words(const OtherPlace& other) {
  std::string label = other.label;
  replace_end(label, " here", "");
  return fmt::format("{} in line {}", label, other.place.line);
}

void show_cause_beside(MergedFinding& finding, std::string_view source) {
  if (finding.id == finding_ids::kMemoryLeak) return show_leaking_call(finding, source);
  if (finding.id == finding_ids::kShuffleFromInactiveLane) return show_absent_lanes(finding, source);
  show_launch_argument(finding, source);
  show_given_arguments(finding, source);
  if (!finding.other) return;
  name_barrier_statement(finding, source);
  if (finding.id == finding_ids::kBarrierDivergence) return;
  if (!show_unguarded_step(finding, source)) show_skipped_barrier(finding, source);
  show_unnamed_object(finding, source);
  show_same_buffer(finding, source);
  show_reading_launch(finding);
  if (finding.id == finding_ids::kGlobalRace && finding.launch.pointer != 0 && finding.launch.where.known()) {
    blame_same_array(finding, source);
  } else if (finding.other->role == PlaceRole::launch && finding.other->place.known()) {
    show_shared_size(finding, source);
  } else if (finding.id == finding_ids::kSharedRace && blame_overlap(finding, source)) {
    return;
  } else if (!finding.cause || !finding.cause->place.known()) {
    return;
  } else if (finding.id == finding_ids::kUncheckedLaunch) {
    show_second_question(finding, source);
  } else if (finding.id == finding_ids::kUseAfterFree) {
    name_destructor(finding, source);
  } else {
    show_in_place_of_other(finding);
  }
}

}  // namespace cudalabs
