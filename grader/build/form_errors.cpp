// Reads the errors' texts; the wordings are those of clang 14 to 19 and nvcc 13.
#include "build/form_errors.h"

#include <algorithm>
#include <array>

#include "build/message_text.h"
#include "text/code_scan.h"

namespace cudalabs::builder {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view without_blank_ends(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks), end = text.find_last_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

/// "if (i < n)" and "else" are no statements, and need no semicolon.
bool is_head_of_statement(std::string_view line) {
  constexpr std::array<std::string_view, 6> kHeads{"if", "for", "while", "switch", "else", "do"};
  while (line.starts_with('}')) line = without_blank_ends(line.substr(1));
  return std::ranges::find(kHeads, line.substr(0, end_of_word(line, 0))) != kHeads.end();
}

/// A statement may end like this, but for its semicolon.
bool lacks_semicolon(std::string_view line) {
  line = without_blank_ends(line);
  if (line.empty() || line.starts_with('#') || line.starts_with('@') || is_head_of_statement(line)) return false;
  const char last = line.back();
  return (is_word_letter(last) || last == ')' || last == ']' || last == '"') &&
         std::ranges::count(line, '(') == std::ranges::count(line, ')') &&
         std::ranges::count(line, '[') == std::ranges::count(line, ']');
}

std::string semicolon_in(std::uint32_t line) {
  return "a statement ends with `;`: put one at the end of line " + std::to_string(line);
}

std::string help_with_semicolon(const Finding& error, const ErrorSource& source) {
  const bool clang = error.message.starts_with("expected ';' ");
  if (!clang && error.message != "expected a \";\"") return {};
  const std::string_view line = source.line(error.where);
  if (clang) {
    // clang points behind what should have ended. Where more follows in the line, something else may be wrong with it.
    if (error.where.column == 0 || error.where.column > line.size() + 1) return {};
    const std::string_view rest = without_blank_ends(line.substr(error.where.column - 1));
    return rest.empty() || rest.starts_with("//") ? semicolon_in(error.where.line) : std::string();
  }
  // nvcc names the line of what follows.
  const auto [number, before] = source.code_before(error.where.line);
  return lacks_semicolon(before) ? semicolon_in(number) : std::string();
}

std::string launch_of(std::string_view kernel) {
  return "a launch is written with three `<` and three `>`: `" + std::string(kernel) + "<<<blocks, threads>>>(...)`";
}

/// In a line; one may be made to have many, and each is looked for in the whole text.
constexpr std::size_t kMostNames = 8;

/// "add<<grid, block>>(a, b)" and "add<grid, block>(a, b)"
std::string help_with_launch_signs(const Finding& error, const ErrorSource& source) {
  if (says_any(error.message, {"expected '>>>'", "expected a \">>>\""})) {
    const std::string_view kernel = launched_in(source.code_line(error.where));
    return launch_of(kernel.empty() ? "kernel" : kernel);
  }
  const std::string_view line = source.code_line(error.where);
  if (says(line, "<<<")) return {};
  std::string help;
  std::size_t looked_up = 0;
  for_each_name(line, [&](std::size_t at, std::string_view name) {
    const std::size_t sign = past_spaces(line, at + name.size());
    if (!help.empty() || sign >= line.size() || line[sign] != '<' || ++looked_up > kMostNames) return;
    const auto found = source.definition(name);
    if (!found || !has_name(found->head, "__global__")) return;
    const bool two = line.substr(sign).starts_with("<<");
    // "add<256>" names an instance of a template.
    if (two || !has_name(found->head, "template")) help = launch_of(name);
  });
  return help;
}

std::string help_with_result(const Finding& error, const ErrorSource& source) {
  if (says_any(error.message, {"must have void return type", "must have a void return type"}))
    return "a kernel returns nothing: write `__global__ void`, and let the kernel store results in an array";
  const bool returns = says_any(error.message, {"should not return a value", "return value type does not match"});
  const FunctionBody* function = returns ? source.function_around(error.where) : nullptr;
  if (function == nullptr || !source.is_kernel(function->name)) return {};
  return "a kernel returns nothing: store the result in an array that it is given; `return;` alone ends a thread";
}

/// "cudaMalloc(d_a, size)": the call stores something at the address that it is given.
std::string help_with_address(const Finding& error, const ErrorSource& source) {
  constexpr std::array<std::string_view, 12> kCalls{
      "cudaMalloc",      "cudaMallocManaged",         "cudaMallocHost",
      "cudaHostAlloc",   "cudaMallocPitch",           "cudaMallocAsync",
      "cudaEventCreate", "cudaEventElapsedTime",      "cudaStreamCreate",
      "cudaGetDevice",   "cudaStreamCreateWithFlags", "cudaGetDeviceCount"};
  if (!says_any(error.message, {"no matching function for call to '", "no instance of overloaded function \"",
                                "cannot initialize a parameter of type", "is incompatible with parameter of type"}))
    return {};
  // Another argument may be the wrong one, or their number.
  const bool of_first = error.note.empty() || says_any(error.note, {"1st argument", "passing argument to parameter"});
  if (!of_first) return {};
  const bool names_function = says_any(error.message, {"no matching function", "no instance of overloaded function"});
  const std::string_view line = source.code_line(error.where);
  std::string help;
  for_each_name(line, [&](std::size_t at, std::string_view name) {
    const std::size_t open = past_spaces(line, at + name.size());
    if (!help.empty() || open >= line.size() || line[open] != '(') return;
    if (std::ranges::find(kCalls, name) == kCalls.end()) return;
    const std::size_t first = past_spaces(line, open + 1), end = end_of_word(line, first);
    const std::size_t behind = past_spaces(line, end);
    // clang tells the place of a wrong argument, or the function's name; nvcc, where it names none, only the line.
    const std::size_t place = error.where.column;
    const bool meant =
        names_function ? error.message.find(name) != std::string::npos : place == 0 || (place > at && place <= end + 1);
    if (!meant) return;
    // One name alone: it is the variable itself.
    if (end == first || is_digit(line[first]) || behind >= line.size() || (line[behind] != ',' && line[behind] != ')'))
      return;
    const std::string variable(line.substr(first, end - first));
    help = in_backticks(name) + " stores its result in a variable, whose address it needs: `" + std::string(name) +
           "(&" + variable + (line[behind] == ',' ? ", ...)`" : ")`");
  });
  return help;
}

std::string help_with_braces(const Finding& error) {
  if (!says_any(error.message, {"function definition is not allowed here",
                                "a block-scope function may only have extern storage class"}))
    return {};
  return "a function begins here, and another has not ended: look for a `}` that is missing above";
}

}  // namespace

std::string help_with_form(const Finding& error, const ErrorSource& source) {
  if (!source.has(error.where)) return {};
  std::string help = help_with_result(error, source);
  if (help.empty()) help = help_with_launch_signs(error, source);
  if (help.empty()) help = help_with_semicolon(error, source);
  if (help.empty()) help = help_with_address(error, source);
  if (help.empty()) help = help_with_braces(error);
  return help;
}

}  // namespace cudalabs::builder
