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

/// "void add(float4 y);": a type comes before the name.
bool is_declared_at(std::string_view code, std::size_t name) {
  const std::string_view before = word_before(code, name);
  return !before.empty() && before != "return" && before != "else" && before != "do";
}

}  // namespace

std::size_t only_call_of(std::string_view code, const FunctionBody& function) {
  constexpr std::size_t kMostLooked = 8;  // each is read up to its last bracket
  std::size_t call = kNowhere, calls = 0, looked = 0;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != function.name || ++looked > kMostLooked) return;
    std::size_t open = past_spaces(code, at + word.size());
    if (code.substr(open).starts_with('<')) {  // "four_columns<4>(row)"
      const std::size_t past = past_bracket(code, open);
      open = past == kNowhere ? code.size() : past_spaces(code, past);
    }
    if (!code.substr(open).starts_with('(') || is_declared_at(code, at)) return;
    const std::size_t end = past_bracket(code, open);
    const bool defines = end != kNowhere && past_spaces(code, end) == function.begin;
    if (defines || ++calls > 1) return;
    call = open;
  });
  return calls == 1 && looked <= kMostLooked ? call : kNowhere;
}

SourcePlace argument_of_access(std::string_view code, const SourcePlace& access, const std::string& kernel) {
  const auto function = function_around_line(code, access.line);
  if (!function || function->name == plain_name(kernel) || !takes_elements_only(*function)) return {};
  const std::size_t call = only_call_of(code, *function);
  const std::size_t element = call != kNowhere ? element_behind_pointer(code, call) : kNowhere;
  if (element == kNowhere) return {};
  const std::uint32_t line = line_at(code, element);
  return {access.file, line, static_cast<std::uint32_t>(element - place_of_line(code, line, 1)) + 1};
}

}  // namespace cudalabs
