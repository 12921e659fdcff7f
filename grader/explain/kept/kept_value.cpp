// The words, and the line of the declaration.
#include "explain/kept/kept_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "source/device_variable_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "__device__ unsigned count;", "__device__ int counts[2];", "__managed__ int total{0};": not of a function.
bool declares_variable(std::string_view line, std::size_t at, std::string_view name) {
  const std::size_t qualifier = std::min(line.find("__device__"), line.find("__managed__"));
  if (qualifier > at || line.find("__constant__") != kNowhere || line.substr(0, at).find('(') != kNowhere) return false;
  const std::size_t end = past_spaces(line, at + name.size());
  constexpr std::string_view kEnds = ";=,{[";
  return end < line.size() && kEnds.find(line[end]) != kNowhere;
}

/// "gridDim.x" and "n * 2", and not "n - 1": one less of it can be written behind it.
bool may_be_one_too_many(std::string_view limit) {
  constexpr std::size_t kLongest = 40;
  return !limit.empty() && limit.size() <= kLongest && !limit.ends_with('1') &&
         std::ranges::all_of(limit, [](char letter) {
           return is_word_letter(letter) || std::string_view(".*/ ").find(letter) != kNowhere;
         });
}

/// The call that wraps counts from 0 to its limit, so that it comes back to 0 after one call more.
std::string help_with_wrapping(const VariableChange& change) {
  return fmt::format(
      "`{0}` with the limit `{1}` is back at 0 only after `{1}` + 1 calls: for `{1}` calls in each launch, the limit "
      "is "
      "`{1} - 1`",
      change.atomic, change.limit);
}

constexpr std::string_view kThisLaunchBegan = "this launch began";

/// Shows the line of device code that changes the variable in place of the launch, which the note tells.
void show_change(MergedFinding& finding, std::string_view source) {
  const auto change = only_change_of(source, finding.access.array);
  if (!change || !finding.cause || !finding.cause->place.known()) return;
  std::string began = finding.cause->label;
  if (!replace_end(began, kThisLaunchBegan, fmt::format("the launch in line {} began\n", finding.cause->place.line)))
    return;
  finding.note.insert(0, began);
  finding.other =
      OtherPlace{"this changes it, in the launch before", {finding.where.file, change->line, change->column}, {}, {}};
  const bool wraps = change->atomic == "atomicInc" || change->atomic == "atomicDec";
  const bool from_zero = finding.first_value == "0";
  if (wraps && from_zero && may_be_one_too_many(change->limit)) finding.help = help_with_wrapping(*change);
}

}  // namespace

Finding leftover_value(const KeptValue& kept) {
  const vgpu::KeptVariable& variable = kept.variable;
  Finding finding;
  finding.id = finding_ids::kLeftoverValue;
  finding.message = fmt::format("`{}` was {}, not {}, when a launch of `{}` began", variable.name, variable.value,
                                variable.at_first, variable.kernel.substr(0, variable.kernel.find('<')));
  finding.where = kept.launch;
  finding.access.array = variable.name;
  finding.first_value = variable.at_first;
  finding.cause = OtherPlace{fmt::format("it was {} when {}", variable.value, kThisLaunchBegan), kept.launch, {}, {}};
  finding.note = fmt::format(
      "it keeps its value from one launch to the next; with {} in it again before such launches, the results are right",
      variable.at_first);
  finding.help = fmt::format(
      "set it back to {}: in the kernel, by the last thread that uses it, or before each launch with "
      "`cudaMemcpyToSymbol`",
      variable.at_first);
  return finding;
}

std::optional<Setting> device_variable_of(std::string_view source, std::string_view name) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  const std::vector<std::string_view> lines = text_lines(code);
  std::optional<Setting> found;
  bool several = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto begin = static_cast<std::size_t>(lines[i].data() - code.data());
    for_each_name(lines[i], [&](std::size_t at, std::string_view word) {
      if (word != name || bodies[begin + at].inside || !declares_variable(lines[i], at, name)) return;
      several = several || found;
      found = {{std::string(name)}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1};
    });
  }
  return several ? std::nullopt : found;
}

void place_at_variable(MergedFinding& finding, std::string_view source) {
  const auto declared = device_variable_of(source, finding.access.array);
  if (!declared || declared->line == finding.where.line) return;
  finding.other = finding.cause;
  finding.where = {finding.where.file, declared->line, declared->column};
  finding.kernel.clear();
  finding.count = 1;  // of variables
  show_change(finding, source);
}

}  // namespace cudalabs
