// A function of a source, read as text: where it is defined, and its parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

struct FunctionText {
  std::uint32_t line = 0, column = 0;   // of its name
  std::vector<std::string> parameters;  // "const float* in"

  bool operator==(const FunctionText&) const = default;
};

/// The only definition of that name, comments apart; none where there are several.
std::optional<FunctionText> only_function(std::string_view source, std::string_view name);

/// A definition: what it is called, its parameters, and where in the text its body begins, with the brace, and ends.
struct FunctionBody {
  std::string name;
  std::vector<std::string> parameters;
  std::size_t begin = 0, end = 0;
};

/// All definitions of functions outside of other braces, in their order; of `code`, which has no comments.
std::vector<FunctionBody> function_bodies(std::string_view code);

/// The one of `functions`, in their order, whose body has this place; null: none.
const FunctionBody* function_at(const std::vector<FunctionBody>& functions, std::size_t place);

/// The only definition of that name, of a member function, too; none where there are several.
std::optional<FunctionBody> only_body(std::string_view code, std::string_view name);

/// The definition with that line between its braces; none where there is none.
std::optional<FunctionBody> function_around_line(std::string_view code, std::uint32_t line);

/// Of the definition, of a member function, too, whose body has that place; the innermost one, without lambdas. Empty:
/// it is in none.
std::string_view defined_around(std::string_view code, std::size_t place);

/// "sum" of "(anonymous namespace)::sum<float>".
std::string plain_name(const std::string& kernel);

/// "in" of "const float* in"; empty where the parameter has no name.
std::string parameter_name(std::string_view parameter);

/// "const int n", "std::size_t bytes": a number of a type that the language or its library has.
bool is_number_parameter(std::string_view parameter);

/// "const Buffer to", "Buffer to" and "Buffer<T> to", of the type `Buffer`.
bool is_copy_of(std::string_view parameter, std::string_view type);

/// The name of the type whose destructor has `line` in its body; empty: it is in none.
std::string destructor_around(std::string_view source, std::uint32_t line);

/// The names that are called in that line.
std::vector<std::string> called_in(std::string_view source, std::uint32_t line);

}  // namespace cudalabs
