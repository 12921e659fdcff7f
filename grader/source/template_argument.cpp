#include "source/template_argument.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

#include "source/function_text.h"
#include "source/source_number.h"
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

/// Of a template, what it calls its parameters, and what an instance gives for them.
struct Parameters {
  std::vector<std::string_view> names, arguments;

  /// What is given for the parameter; empty: nothing is.
  std::string_view argument(std::string_view name) const {
    const auto index = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    return index < std::min(names.size(), arguments.size()) ? arguments[index] : std::string_view();
  }
};

/// Of "walk<64, 16>", whose template has its name at `name`; `begin`: where the name stands in the instance.
Parameters parameters_of(std::string_view code, std::size_t name, std::string_view instance, std::size_t begin) {
  Parameters found;
  for (const std::string_view parameter : items_of(parameters_before(code, name)))
    found.names.push_back(declared_name(parameter));
  const std::size_t open = instance.find('<', begin);
  if (open != kNowhere) found.arguments = items_of(inside_brackets(instance, open));
  return found;
}

/// A name of an expression, with the type that it is a member of, if it is.
struct Named {
  std::string_view type, name;
  std::size_t begin = 0, end = 0;  // in the expression
};

std::vector<Named> words_with_types(std::string_view text) {
  constexpr std::size_t kMostReplaced = 16;  // a text may be made to be long to read
  std::vector<Named> found;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (found.size() >= kMostReplaced || (!found.empty() && at < found.back().end)) return;
    const std::size_t end = at + name.size();
    if (!text.substr(end).starts_with("::")) return found.push_back({{}, name, at, end});
    const std::size_t past = end_of_word(text, end + 2);
    found.push_back({name, text.substr(end + 2, past - end - 2), at, past});
  });
  return found;
}

/// The text with the numbers that `value` has for its names.
template <typename Value>
std::string with_numbers(std::string_view text, const Value& value) {
  std::string result;
  std::size_t done = 0;
  for (const Named& named : words_with_types(text)) {
    const std::optional<std::int64_t> number = value(named);
    if (!number) continue;
    result += text.substr(done, named.begin - done);
    result += std::to_string(*number);
    done = named.end;
  }
  return result += text.substr(done);
}

/// A structure of the source.
struct Structure {
  std::size_t name = 0;  // its place
  std::string_view body;
};

/// The only one of that name.
std::optional<Structure> only_structure(std::string_view code, std::string_view name) {
  std::optional<Structure> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != name) return;
    const std::string_view kind = word_before(code, at);
    const std::size_t open = past_spaces(code, at + word.size());
    if ((kind != "struct" && kind != "class") || open >= code.size() || code[open] != '{') return;
    several = several || found;
    found = Structure{at, inside_brackets(code, open)};
  });
  return several ? std::nullopt : found;
}

/// "bm" of "static constexpr int BM = bm;"; empty: the body does not say it once.
std::string_view member_value(std::string_view body, std::string_view member) {
  std::string_view found;
  bool several = false;
  for_each_name(body, [&](std::size_t at, std::string_view name) {
    const std::size_t sign = past_spaces(body, at + name.size());
    if (name != member || !begins_assignment(body.substr(sign)) || body[sign] != '=') return;
    several = several || !found.empty();
    found = body.substr(sign + 1, body.find_first_of(";,}", sign) - sign - 1);
  });
  return several ? std::string_view() : without_outer_spaces(found);
}

/// Reads members of types; so many, as a text may be made to be long to read.
class MemberNumbers {
 public:
  explicit MemberNumbers(std::string_view code) : code_(code) {}

  /// What the member of the type, "Config<64, 16>", is worth.
  std::optional<std::int64_t> of(std::string_view type, std::string_view member) {
    if (--left_ < 0) return std::nullopt;
    const std::size_t scope = type.substr(0, type.find('<')).rfind("::");
    const std::string_view name = type.substr(scope == kNowhere ? 0 : scope + 2);
    const auto structure = only_structure(code_, name.substr(0, end_of_word(name, 0)));
    if (!structure) return std::nullopt;
    const Parameters parameters = parameters_of(code_, structure->name, name, 0);
    const std::string value = with_numbers(member_value(structure->body, member), [&](const Named& named) {
      if (!named.type.empty()) return std::optional<std::int64_t>();
      const std::string_view argument = parameters.argument(named.name);
      return argument.empty() ? of(type, named.name) : whole_number(argument);
    });
    return SourceNumbers({}).value(value, 0, nullptr);
  }

 private:
  std::string_view code_;
  int left_ = 24;
};

}  // namespace

std::string with_template_numbers(std::string_view code, const std::string& instance, std::string_view expression) {
  const std::string name = plain_name(instance);
  const auto function = only_function(code, name);
  const std::size_t begin = instance.find(name);
  if (!function || begin == std::string::npos) return std::string(expression);
  const Parameters parameters =
      parameters_of(code, place_of_line(code, function->line, function->column), instance, begin);
  MemberNumbers members(code);
  return with_numbers(expression, [&](const Named& named) {
    if (named.type.empty()) return whole_number(parameters.argument(named.name));
    const std::string_view type = parameters.argument(named.type);
    return members.of(type.empty() ? named.type : type, named.name);
  });
}

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
