// The kernel's guards hold an index against these numbers: they are right for the whole array, and perhaps not for the
// part of it that the launch gives.
#include "explain/accesses/given_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/launch_words.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostNumbers = 5;

/// "int n", "const std::size_t n": what the launch gives for it is a whole number.
bool is_whole_number(std::string_view parameter) {
  constexpr std::array<std::string_view, 12> kTypes{"int",      "unsigned", "long",      "short",
                                                    "size_t",   "int32_t",  "int64_t",   "uint32_t",
                                                    "uint64_t", "index_t",  "ptrdiff_t", "uint"};
  bool whole = false, other = false;
  for_each_name(parameter, [&](std::size_t, std::string_view word) {
    whole = whole || std::ranges::find(kTypes, word) != kTypes.end();
    other = other || word == "float" || word == "double" || word == "char" || word == "bool";
  });
  return whole && !other && parameter.find_first_of("*&[") == kNowhere;
}

/// A pointer into an array of which so many elements lie before what it points to.
struct PartOfArray {
  std::string pointer;
  std::uint64_t before = 0;
};

/// Calls `visit` with each argument whose parameter has a name, its text, and the name.
template <typename Visit>
void for_each_named(const MergedFinding& finding, std::string_view source, const Visit& visit) {
  const auto kernel = finding.launch.given.empty() ? std::nullopt : only_function(source, plain_name(finding.kernel));
  for (const GivenArgument& argument : finding.launch.given) {
    if (!kernel || argument.number == 0 || argument.number > kernel->parameters.size()) continue;
    const std::string& parameter = kernel->parameters[argument.number - 1];
    if (std::string name = parameter_name(parameter); !name.empty()) visit(argument, parameter, std::move(name));
  }
}

std::optional<PartOfArray> part_given(const MergedFinding& finding, std::string_view source) {
  std::optional<PartOfArray> part;
  for_each_named(finding, source, [&](const GivenArgument& argument, const std::string& parameter, std::string name) {
    if (argument.pointer && parameter.find('*') != kNowhere) part = PartOfArray{std::move(name), argument.value};
  });
  return part;
}

}  // namespace

std::vector<NamedNumber> numbers_given(const MergedFinding& finding, std::string_view source) {
  std::vector<NamedNumber> numbers;
  for_each_named(finding, source, [&](const GivenArgument& argument, const std::string& parameter, std::string name) {
    if (!argument.pointer && is_whole_number(parameter)) numbers.push_back({std::move(name), argument.value});
  });
  return numbers;
}

void show_given_arguments(MergedFinding& finding, std::string_view source) {
  if (finding.id != finding_ids::kGlobalOutOfBounds) return;
  std::vector<std::string> numbers;
  for (const auto& [name, value] : numbers_given(finding, source))
    numbers.push_back(fmt::format("`{}` = {}", name, value));
  if (!numbers.empty() && numbers.size() <= kMostNumbers)
    add_to_line(finding.note, vgpu::kLaunchNote, fmt::format(", with {}", fmt::join(numbers, ", ")));
  const auto part = part_given(finding, source);
  const SourcePlace& launch = finding.launch.where;
  if (!part || finding.other || !launch.known() || launch.file != finding.where.file) return;
  finding.other = OtherPlace{fmt::format("in this launch `{}` begins {} element{} behind the array's first",
                                         part->pointer, part->before, part->before == 1 ? "" : "s"),
                             launch,
                             {},
                             {},
                             PlaceRole::launch};
  if (numbers.empty()) return;
  finding.help = Help::where_to_look(fmt::format(
      "this launch works on a part of the array: what it gives the kernel must be the sizes of that part, here {}; "
      "look at the index and the conditions around this access, too",
      fmt::join(numbers, ", ")));
}

}  // namespace cudalabs
