#include "source/handed_out.h"

#include <algorithm>
#include <optional>

#include "source/call_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostHanding = 16, kLongestHanding = 400;  // a text may be made to be long to read

/// "p" of "cudaMalloc(p, n)", in the line's only call.
std::string_view allocated_argument(std::string_view code, std::uint32_t line, std::string_view name) {
  const auto call = only_call_in_line(code, line, name);
  const std::size_t open = call ? past_spaces(code, *call + name.size()) : kNowhere;
  if (open == kNowhere) return {};
  const std::size_t end = past_bracket(code.substr(0, std::min(code.size(), open + kLongestHanding)), open);
  const auto items =
      end == kNowhere ? std::vector<std::string_view>() : items_of(code.substr(open + 1, end - open - 2));
  return items.empty() ? std::string_view() : items.front();
}

/// "d_a" of "(void**)&d_a" and "d_a"; empty: it is no name.
std::string_view named_in(std::string_view argument) {
  const std::size_t sign = argument.rfind('&');
  const std::string_view name = without_outer_spaces(sign == kNowhere ? argument : argument.substr(sign + 1));
  return is_identifier(name) ? name : std::string_view();
}

/// The parameter through which the function sets its caller's pointer.
std::optional<std::size_t> handing_parameter(const FunctionBody& function, std::string_view pointer) {
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const std::string type = without_blanks(function.parameters[i]);
    const bool hands = type.find("**") != std::string::npos || type.find("*&") != std::string::npos;
    if (parameter_name(function.parameters[i]) == pointer) return hands ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

bool returns_pointer(std::string_view body, std::string_view pointer) {
  bool found = false;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (word != "return") return;
    const std::size_t begin = past_spaces(body, at + word.size()), end = end_of_word(body, begin);
    const std::size_t behind = past_spaces(body, end);
    found = found || (body.substr(begin, end - begin) == pointer && behind < body.size() && body[behind] == ';');
  });
  return found;
}

/// "full_a" before "= padded_copy(...)", whose name is at `at`.
std::string_view assigned_before(std::string_view code, std::size_t at) {
  const std::size_t sign = before_spaces(code, at);
  if (sign == kNowhere || sign == 0 || code[sign] != '=' || std::string_view("=!<>").find(code[sign - 1]) != kNowhere)
    return {};
  const std::string_view name = word_before(code, sign);
  return is_identifier(name) && !is_member(code, static_cast<std::size_t>(name.data() - code.data()))
             ? name
             : std::string_view();
}

}  // namespace

std::vector<HandedOut> handed_out_pointers(std::string_view code, std::uint32_t line, std::string_view allocate) {
  const auto function = function_around_line(code, line);
  const std::string_view pointer = named_in(allocated_argument(code, line, allocate));
  if (!function || pointer.empty()) return {};
  const auto parameter = handing_parameter(*function, pointer);
  const bool returned = returns_pointer(code.substr(function->begin, function->end - function->begin), pointer);
  if (!parameter && !returned) return {};
  const std::vector<FunctionBody> functions = function_bodies(code);
  std::vector<HandedOut> found;
  std::size_t calls = 0;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != function->name) return;
    std::size_t open = past_spaces(code, at + word.size());
    if (open < code.size() && code[open] == '<')  // "room_for<T>(n)"
      open = past_spaces(
          code,
          std::min(past_bracket(code.substr(0, std::min(code.size(), open + kLongestHanding)), open), code.size()));
    if (open >= code.size() || code[open] != '(' || ++calls > kMostHanding) return;
    const FunctionBody* const caller = function_at(functions, at);
    if (caller == nullptr || caller->begin == function->begin) return;
    std::string_view name = returned ? assigned_before(code, at) : std::string_view();
    if (parameter) {
      const std::size_t end = past_bracket(code.substr(0, std::min(code.size(), open + kLongestHanding)), open);
      const auto arguments =
          end == kNowhere ? std::vector<std::string_view>() : items_of(code.substr(open + 1, end - open - 2));
      name = *parameter < arguments.size() ? named_in(arguments[*parameter]) : std::string_view();
    }
    if (!name.empty()) found.push_back({std::string(name), line_at(code, at), *caller});
  });
  return found;
}

std::string allocating_function(std::string_view code, std::uint32_t line) {
  const auto function = function_around_line(code, line);
  return function ? function->name : std::string();
}

}  // namespace cudalabs
