#include "explain/memory/read_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "explain/memory/later_round.h"
#include "explain/places/set_here.h"
#include "source/function_text.h"
#include "source/launch_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A longer argument is not written out.
constexpr std::size_t kLongestArgument = 24;

bool is_condition(std::string_view line) {
  bool found = line.find('?') != std::string_view::npos;
  for_each_name(line, [&](std::size_t, std::string_view name) {
    found = found || name == "if" || name == "for" || name == "while";
  });
  return found;
}

/// The only number among the kernel's parameters that the last condition before the line, or in it, asks for.
std::optional<std::size_t> bound_of(const std::string& code, const FunctionBody& kernel, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  const std::uint32_t head = line_at(code, kernel.begin);
  std::uint32_t at = line;
  while (at > head && !is_condition(lines[at - 1])) --at;
  if (at <= head) return std::nullopt;
  std::optional<std::size_t> bound;
  bool several = false;
  for_each_name(lines[at - 1], [&](std::size_t, std::string_view name) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const std::string& parameter = kernel.parameters[i];
      if (parameter.find_first_of("*&") != std::string::npos || parameter_name(parameter) != name) continue;
      several = several || (bound && *bound != i);
      bound = i;
    }
  });
  return several ? std::nullopt : bound;
}

/// "b[k * wb + col]": another number among the kernel's parameters is in the subscript at the place, so that the bound
/// is no count of elements.
bool counts_rows(std::string_view code, const FunctionBody& kernel, const SourcePlace& where, std::size_t bound) {
  const std::size_t at = place_of_line(code, where.line, where.column);
  const std::size_t open = at == kNowhere ? at : past_spaces(code, end_of_word(code, at));
  const std::string_view line = at == kNowhere ? std::string_view() : code.substr(0, code.find('\n', at));
  if (where.column == 0 || open >= line.size() || line[open] != '[') return false;
  const std::size_t end = std::min(past_bracket(line, open), line.size());
  bool found = false;
  for_each_name(line.substr(open, end - open), [&](std::size_t, std::string_view name) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
      found = found || (i != bound && kernel.parameters[i].find_first_of("*&") == std::string::npos &&
                        parameter_name(kernel.parameters[i]) == name);
  });
  return found;
}

void show_read_count(MergedFinding& finding, std::string_view source) {
  const std::string code = without_comments(source);
  const auto kernel = function_around_line(code, finding.where.line);
  const auto launch = launch_in_line(code, finding.launch.where.line);
  if (!kernel || !launch) return;
  finding.other = OtherPlace{"this launch reads there", finding.launch.where, {}, {}};
  const auto bound = bound_of(code, *kernel, finding.where.line);
  if (!bound || *bound >= launch->arguments.size()) return;
  if (counts_rows(code, *kernel, finding.where, *bound)) return;
  const std::string argument(launch->arguments[*bound]), parameter = parameter_name(kernel->parameters[*bound]);
  if (argument.size() > kLongestArgument) return;
  finding.other->label = fmt::format("this launch tells the kernel how many: `{}`", argument);
  if (!is_identifier(argument)) return;
  const auto set = last_setting_of(source, finding.launch.where.line, argument);
  if (!set) return;
  finding.note.insert(
      0, fmt::format("the launch in line {} gives it to the kernel, as `{}`\n", finding.launch.where.line, parameter));
  finding.other = set_here(argument, {finding.where.file, set->line, set->column});
}

}  // namespace

void show_read_counts(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    const bool known = finding.id == finding_ids::kUninitializedRead && finding.access.written != 0 &&
                       finding.launch.where.known() && finding.launch.where.file == finding.where.file &&
                       !is_written_later(finding) && !(finding.other && finding.other->role == PlaceRole::access);
    if (known && finding.is_in_file(file)) show_read_count(finding, source);
  }
}

}  // namespace cudalabs
