// The kernel's parameters and the launch's arguments are counted alike.
#include "explain/accesses/launch_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "explain/places/set_here.h"
#include "source/function_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

void replace_everywhere(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// What the launch that begins in that line hands over, in words of the source.
std::vector<std::string> arguments_of_launch(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return {};
  const auto begin = static_cast<std::size_t>(lines[line - 1].data() - code.data());
  const std::size_t end = code.find(">>>", begin);
  const std::size_t statement = code.find(';', begin);
  if (end == kNowhere || statement == kNowhere || statement < end) return {};
  const std::size_t open = past_spaces(code, end + 3), close = past_bracket(code, open);
  if (open >= code.size() || code[open] != '(' || close == kNowhere) return {};
  const auto items = items_of(code.substr(open + 1, close - open - 2));
  return {items.begin(), items.end()};
}

bool is_variable_alone(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, is_word_letter);
}

constexpr std::size_t kMostLaunchLines = 8;  // of a program with more, each would have to be read again

/// The lines of the source that launch the kernel; not many more than the most.
std::vector<std::uint32_t> launches_of(std::string_view code, std::string_view kernel) {
  std::vector<std::uint32_t> lines;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (name != kernel || lines.size() > kMostLaunchLines) return;
    const std::size_t after = past_spaces(code, at + name.size());
    const bool instance = code.substr(after).starts_with('<') && !code.substr(after).starts_with("<<<");
    const std::size_t end = instance ? past_bracket(code, after) : after;
    if (end != kNowhere && code.substr(past_spaces(code, end)).starts_with("<<<")) lines.push_back(line_at(code, at));
  });
  return lines;
}

void show_at(MergedFinding& finding, const Setting& set) {
  finding.other = set_here(set.names.front(), {finding.where.file, set.line, set.column});
}

/// Of a launch that is known: where the host sets the argument, or else the launch.
void show_setting(MergedFinding& finding, std::string_view source, const std::string& name) {
  const SourcePlace& launch = finding.launch.where;
  if (const auto set = setting_of_argument(source, launch.line, finding.launch.argument)) return show_at(finding, *set);
  const std::vector<std::string> arguments = arguments_of_launch(without_comments(source), launch.line);
  const bool known = finding.launch.argument <= arguments.size();
  // The same name in both places says nothing.
  if (known && name == fmt::format("`{}`", arguments[finding.launch.argument - 1])) return;
  finding.other =
      OtherPlace{known ? fmt::format("{} is `{}` in this launch", name, arguments[finding.launch.argument - 1])
                       : fmt::format("{} comes from this launch", name),
                 launch,
                 {},
                 {}};
}

/// A launch that the compiler has joined with another one has no line: where all of the kernel's get the same variable.
void show_common_setting(MergedFinding& finding, std::string_view source) {
  const std::vector<std::uint32_t> lines = launches_of(without_comments(source), plain_name(finding.kernel));
  if (lines.empty() || lines.size() > kMostLaunchLines) return;
  const auto first = setting_of_argument(source, lines.front(), finding.launch.argument);
  const bool same = first && std::ranges::all_of(lines, [&](std::uint32_t line) {
                      return setting_of_argument(source, line, finding.launch.argument) == first;
                    });
  if (same) show_at(finding, *first);
}

bool is_allocated_with_pitch(const MergedFinding& finding, std::string_view source) {
  if (!finding.other || finding.other->place.file != finding.where.file) return false;
  const std::vector<std::string_view> lines = text_lines(source);
  const std::uint32_t line = finding.other->place.line;
  return line != 0 && line <= lines.size() &&
         (lines[line - 1].find("cudaMallocPitch") != kNowhere || lines[line - 1].find("cudaMalloc3D") != kNowhere);
}

}  // namespace

std::optional<Setting> setting_of_argument(std::string_view source, std::uint32_t line, std::uint32_t argument) {
  const std::vector<std::string> arguments = arguments_of_launch(without_comments(source), line);
  if (argument == 0 || argument > arguments.size() || !is_variable_alone(arguments[argument - 1])) return std::nullopt;
  return last_setting_of(source, line, arguments[argument - 1]);
}

void show_launch_argument(MergedFinding& finding, std::string_view source) {
  const std::uint32_t number = finding.launch.argument;
  if (number == 0) return;
  const auto function = only_function(source, plain_name(finding.kernel));
  const bool known = function && number <= function->parameters.size();
  const std::string name = known ? parameter_name(function->parameters[number - 1]) : std::string();
  const std::string shown = name.empty() ? fmt::format("argument {}", number) : fmt::format("`{}`", name);
  replace_everywhere(finding.note, fmt::format("argument {} of the launch", number), shown);
  replace_everywhere(finding.help, fmt::format("argument {} of the launch", number), shown);
  if (finding.id == finding_ids::kMisalignedAccess) {
    if (!finding.launch.where.known()) {
      show_common_setting(finding, source);
    } else if (finding.launch.where.file == finding.where.file) {
      show_setting(finding, source, shown);
    }
  } else if (is_allocated_with_pitch(finding, source)) {
    finding.help = fmt::format(
        "{} counts bytes, and what is added to a pointer counts elements: add it to a `char*`, and cast the sum to the "
        "type of the elements",
        shown);
  }
}

}  // namespace cudalabs
