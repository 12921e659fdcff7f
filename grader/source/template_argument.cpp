#include "source/template_argument.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// What stands between the brackets that begin at `at`; empty: no bracket closes them.
std::string_view inside_brackets(std::string_view text, std::size_t at) {
  const std::size_t end = past_bracket(text, at);
  return end == kNowhere ? std::string_view() : text.substr(at + 1, end - at - 2);
}

/// "int THREADS = 128, class T" of the template whose function has its name at `name`; empty: it is none.
std::string_view parameters_before(std::string_view code, std::size_t name) {
  const std::string_view before = code.substr(0, name);
  const std::size_t last_end = before.find_last_of(";}");
  const std::size_t begin = last_end == kNowhere ? 0 : last_end + 1;
  const std::size_t word = before.find("template", begin);
  if (word == kNowhere) return {};
  const std::size_t bracket = before.find('<', word);
  return bracket == kNowhere ? std::string_view() : inside_brackets(before, bracket);
}

/// "THREADS" of "int THREADS = 128".
std::string_view declared_name(std::string_view parameter) {
  return word_before(parameter, std::min(parameter.find('='), parameter.size()));
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  // "128u": as some compilers name the instances of unsigned parameters.
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return rest.find_first_not_of("uUlL") == kNowhere ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> template_argument(std::string_view code, const std::string& instance,
                                              std::string_view parameter) {
  const std::string name = plain_name(instance);
  const std::size_t arguments_at = instance.find(name + '<');
  const auto function = only_function(code, name);
  if (arguments_at == std::string::npos || !function) return std::nullopt;
  const std::string_view list = parameters_before(code, place_of_line(code, function->line, function->column));
  const std::vector<std::string_view> parameters = items_of(list);
  const std::vector<std::string_view> arguments = items_of(inside_brackets(instance, arguments_at + name.size()));
  const auto place = std::ranges::find(parameters, parameter, declared_name);
  const auto index = static_cast<std::size_t>(place - parameters.begin());
  return index < arguments.size() && index < parameters.size() ? whole_number(arguments[index]) : std::nullopt;
}

}  // namespace cudalabs
