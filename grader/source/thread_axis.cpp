// Assignments are followed by name: what a macro or a function computes stays unseen.
#include "source/thread_axis.h"

#include <algorithm>
#include <array>
#include <set>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::array<std::string_view, 4> kLaunchVariables{"threadIdx", "blockIdx", "blockDim", "gridDim"};

/// "y" of "threadIdx.y", whose first part begins at `at`; '\0': it is something else.
char axis_at(std::string_view text, std::size_t at, std::string_view name) {
  const std::size_t dot = past_spaces(text, at + name.size()), axis = past_spaces(text, dot + 1);
  const bool known = std::ranges::find(kLaunchVariables, name) != kLaunchVariables.end() && axis < text.size() &&
                     text[dot] == '.' && end_of_word(text, axis) == axis + 1;
  return known ? text[axis] : '\0';
}

/// What stands behind the sign of an assignment, or in the brackets of "int i(threadIdx.x)".
std::string_view value_behind(std::string_view text, std::size_t at) {
  at = past_spaces(text, at);
  if (at >= text.size()) return {};
  const bool begins = text[at] == '(' || text[at] == '{';
  if (!begins && !begins_assignment(text.substr(at))) return {};
  int depth = 0;  // the step of a loop ends with the bracket of its head
  for (std::size_t end = at + 1; end < text.size(); ++end) {
    if (text[end] == '(') ++depth;
    if (text[end] == ';' || text[end] == '{' || (text[end] == ')' && --depth < 0))
      return text.substr(at + 1, end - at - 1);
  }
  return text.substr(at + 1);
}

}  // namespace

std::string axes_of_variable(std::string_view code, std::uint32_t line, std::string_view name) {
  const auto function = function_around_line(code, line);
  const std::size_t begin = place_of_line(code, line, 1);
  if (!function || begin == kNowhere) return {};
  const std::size_t end = std::min(code.find('\n', begin), code.size());
  const std::string_view text = code.substr(function->begin, end - std::min(end, function->begin));
  constexpr int kMostSteps = 4;  // from a variable to those that it is computed from
  std::set<std::string_view> wanted{name};
  std::set<char> axes;
  for (int step = 0; step < kMostSteps; ++step) {
    std::set<std::string_view> more;
    std::size_t done = 0;  // a value is read once, however many names it has
    for_each_name(text, [&](std::size_t at, std::string_view word) {
      if (at < done || !wanted.contains(word)) return;
      const std::string_view value = value_behind(text, at + word.size());
      if (value.empty()) return;
      done = static_cast<std::size_t>(value.data() - text.data()) + value.size();
      for_each_name(value, [&](std::size_t place, std::string_view part) {
        if (const char axis = axis_at(value, place, part); axis != '\0') axes.insert(axis);
        more.insert(part);
      });
    });
    wanted.merge(more);
  }
  return {axes.begin(), axes.end()};
}

}  // namespace cudalabs
