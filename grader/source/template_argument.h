// The numbers that an instance of a template was made with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

/// 128 of "add<128>" for `THREADS`, where `code`, which has no comments, defines "template <int THREADS> ... add("
/// once. Nothing: the template has no such parameter, or the argument is no whole number.
std::optional<std::int64_t> template_argument(std::string_view code, const std::string& instance,
                                              std::string_view parameter);

/// The expression, of the function that `instance` is made of, with numbers in the place of the template's parameters,
/// and of members of types: "C::ROWS" of a parameter `C`, or of a structure `C`, where "ROWS = 64" stands in it, or
/// what its own parameters are worth. Names of which nothing is known stay.
std::string with_template_numbers(std::string_view code, const std::string& instance, std::string_view expression);

}  // namespace cudalabs
