#include "explain/accesses/helper_access.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// An element is given, and what is done with it there need not say that it lies in memory.
bool takes_elements_only(const FunctionBody& function) {
  const auto has = [&](char sign) {
    return std::ranges::any_of(function.parameters,
                               [&](const std::string& each) { return each.find(sign) != std::string::npos; });
  };
  return has('&') && !has('*');
}

/// Where the list that begins at `open` has its only argument that begins with a star; kNowhere: none, or several.
std::size_t element_behind_pointer(std::string_view code, std::size_t open) {
  const std::size_t end = past_bracket(code, open);
  if (end == kNowhere) return kNowhere;
  std::size_t found = kNowhere;
  for (const std::string_view item : items_of(code.substr(open + 1, end - open - 2))) {
    if (!item.starts_with('*')) continue;
    if (found != kNowhere) return kNowhere;
    found = static_cast<std::size_t>(item.data() - code.data());
  }
  return found;
}

}  // namespace

SourcePlace argument_of_access(std::string_view code, const SourcePlace& access, const std::string& kernel) {
  const auto function = function_around_line(code, access.line);
  if (!function || function->name == plain_name(kernel) || !takes_elements_only(*function)) return {};
  std::size_t call = kNowhere, calls = 0;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (word != function->name || open >= code.size() || code[open] != '(') return;
    const std::size_t end = past_bracket(code, open);
    const bool defines = end != kNowhere && past_spaces(code, end) == function->begin;
    if (defines || ++calls > 1) return;
    call = open;
  });
  const std::size_t element = calls == 1 ? element_behind_pointer(code, call) : kNowhere;
  if (element == kNowhere) return {};
  const std::uint32_t line = line_at(code, element);
  return {access.file, line, static_cast<std::uint32_t>(element - place_of_line(code, line, 1)) + 1};
}

}  // namespace cudalabs
