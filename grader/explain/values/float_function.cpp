#include "explain/values/float_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "const float v", and not "float* v".
bool is_float(std::string_view parameter) {
  bool found = false;
  for_each_name(parameter, [&](std::size_t at, std::string_view name) {
    const std::size_t next = past_spaces(parameter, at + name.size());
    found = found || (name == "float" && next < parameter.size() && is_word_letter(parameter[next]));
  });
  return found;
}

/// A function that integers lose digits in.
struct FloatFunction {
  std::string name;
  std::size_t place = 0;  // of its name
  bool takes = false, returns = false;
};

std::optional<FloatFunction> read(std::string_view code, const FunctionBody& function) {
  const std::size_t open = code.substr(0, function.begin).rfind('('), place = code.rfind(function.name, open);
  if (open == kNowhere || place == kNowhere) return std::nullopt;
  const FloatFunction found{function.name, place, std::ranges::any_of(function.parameters, is_float),
                            word_before(code, place) == "float"};
  return found.takes || found.returns ? std::optional(found) : std::nullopt;
}

/// Its body has the type, which may round as well.
bool has_float(std::string_view code, const FunctionBody& function) {
  return has_name(code.substr(function.begin, function.end - function.begin), "float");
}

/// Where the text calls the function; kNowhere: it does not.
std::size_t call_in(std::string_view code, const FunctionBody& caller, std::string_view name) {
  const std::string_view body = code.substr(caller.begin, caller.end - caller.begin);
  std::size_t found = kNowhere;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    const bool called = word == name && body.substr(past_spaces(body, at + word.size())).starts_with('(');
    if (called && found == kNowhere) found = caller.begin + at;
  });
  return found;
}

SourcePlace place_at(std::string_view code, std::size_t at, const std::string& file) {
  const std::size_t newline = code.rfind('\n', at);
  return {file, line_at(code, at), static_cast<std::uint32_t>(newline == kNowhere ? at + 1 : at - newline)};
}

}  // namespace

bool show_float_function(MergedFinding& finding, std::string_view source) {
  constexpr std::size_t kMostFunctions = 64;  // a text may be made to be long to read
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  const std::vector<FunctionBody> functions = function_bodies(code);
  const auto is_of = [](const std::string& name) {
    return [&](const FunctionBody& function) { return function.name == name; };
  };
  const std::string kernel = plain_name(finding.kernel);
  const auto caller = std::ranges::find_if(functions, is_of(kernel));
  const bool of_template = finding.kernel.find('<') != std::string::npos;
  if (!of_template || caller == functions.end() || functions.size() > kMostFunctions ||
      std::ranges::count_if(functions, is_of(kernel)) != 1 || has_float(code, *caller))
    return false;
  std::optional<FloatFunction> found;
  std::size_t call = kNowhere;
  // The kernel, and functions without the type that it calls, also through others.
  std::vector<const FunctionBody*> callers{&*caller};
  for (std::size_t i = 0; i < callers.size(); ++i) {
    for (const FunctionBody& function : functions) {
      if (function.begin + 1 >= code.size() || !bodies[function.begin + 1].device ||
          std::ranges::find(callers, &function) != callers.end())
        continue;
      const std::size_t called = call_in(code, *callers[i], function.name);
      if (called == kNowhere) continue;
      // Of overloads the integers may take another one.
      const bool only = std::ranges::count_if(functions, is_of(function.name)) == 1;
      const auto here = read(code, function);
      if (!here && has_float(code, function)) return false;
      if (!here && only) callers.push_back(&function);
      if (!here) continue;
      if (!only || (found && found->place != here->place)) return false;
      if (!found) call = called;
      found = here;
    }
  }
  if (!found) return false;
  const std::string file = finding.where.file;
  const std::string_view deed = found->takes && found->returns ? "takes and returns"
                                : found->takes                 ? "takes a"
                                                               : "returns a";
  finding.where = place_at(code, found->place, file);
  finding.other = OtherPlace{"the integers go through it here", place_at(code, call, file), {}, {}};
  finding.help = fmt::format(
      "`{}` {} `float`, which holds every integer only up to 16777216: make it a template, so that its parameter and "
      "its result have the type of the elements",
      found->name, deed);
  return true;
}

}  // namespace cudalabs
