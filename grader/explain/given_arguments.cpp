// The kernel's guards hold an index against these numbers: they are right for the whole array, and perhaps not for the
// part of it that the launch gives.
#include "explain/given_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
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

struct NamedArguments {
  std::vector<std::string> numbers;  // "`n` = 200"
  std::string part;                  // the pointer's name; empty: none points into the array
  std::uint64_t before = 0;          // elements of the array that lie before what it points to
};

NamedArguments named(const std::vector<GivenArgument>& given, const FunctionText& kernel) {
  NamedArguments arguments;
  for (const GivenArgument& argument : given) {
    if (argument.number == 0 || argument.number > kernel.parameters.size()) continue;
    const std::string& parameter = kernel.parameters[argument.number - 1];
    const std::string name = parameter_name(parameter);
    if (name.empty()) continue;
    if (argument.pointer && parameter.find('*') != kNowhere) {
      arguments.part = name;
      arguments.before = argument.value;
    } else if (!argument.pointer && is_whole_number(parameter)) {
      arguments.numbers.push_back(fmt::format("`{}` = {}", name, argument.value));
    }
  }
  return arguments;
}

/// At the end of the note's line about the launch.
void add_to_launch(std::string& note, const std::vector<std::string>& numbers) {
  const std::size_t line = note.find(vgpu::kLaunchNote);
  if (line == std::string::npos || numbers.empty() || numbers.size() > kMostNumbers) return;
  const std::size_t end = std::min(note.find('\n', line), note.size());
  note.insert(end, fmt::format(", with {}", fmt::join(numbers, ", ")));
}

}  // namespace

std::map<std::string, std::uint64_t, std::less<>> numbers_given(const MergedFinding& finding, std::string_view source) {
  std::map<std::string, std::uint64_t, std::less<>> numbers;
  const auto kernel = finding.launch.given.empty() ? std::nullopt : only_function(source, plain_name(finding.kernel));
  for (const GivenArgument& argument : finding.launch.given) {
    if (!kernel || argument.pointer || argument.number == 0 || argument.number > kernel->parameters.size()) continue;
    const std::string& parameter = kernel->parameters[argument.number - 1];
    const std::string name = is_whole_number(parameter) ? parameter_name(parameter) : std::string();
    if (!name.empty()) numbers.emplace(name, argument.value);
  }
  return numbers;
}

void show_given_arguments(MergedFinding& finding, std::string_view source) {
  if (finding.id != finding_ids::kGlobalOutOfBounds || finding.launch.given.empty()) return;
  const auto kernel = only_function(source, plain_name(finding.kernel));
  if (!kernel) return;
  const NamedArguments arguments = named(finding.launch.given, *kernel);
  add_to_launch(finding.note, arguments.numbers);
  const SourcePlace& launch = finding.launch.where;
  if (arguments.part.empty() || finding.other || !launch.known() || launch.file != finding.where.file) return;
  finding.other = OtherPlace{fmt::format("in this launch `{}` begins {} element{} behind the array's first",
                                         arguments.part, arguments.before, arguments.before == 1 ? "" : "s"),
                             launch,
                             {},
                             {},
                             PlaceRole::launch};
  if (arguments.numbers.empty()) return;
  finding.help = fmt::format(
      "this launch works on a part of the array: what it gives the kernel must be the sizes of that part, here {}; "
      "look at the index and the conditions around this access, too",
      fmt::join(arguments.numbers, ", "));
}

}  // namespace cudalabs
