// Lines of a kernel that declare what sums are kept in, found in the source's text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/setting_text.h"

namespace cudalabs {

/// Where the variable that the assignment at this place stores begins anew: the last line before those that add to it,
/// in the same function, which sets it to what does not depend on it. `column` is that of the `=`, or not known.
std::optional<Setting> beginning_of_sum(std::string_view source, std::uint32_t line, std::uint32_t column);

/// A variable that a line stores to.
struct IntegerSum {
  Setting where;            // its declaration
  bool by_literal = false;  // `auto sum = 0`: only what it begins with makes it an integer
  /// What the function's pointers lead to, where that is one type of its template: "T". Else "float".
  std::string type = "float";

  bool operator==(const IntegerSum&) const = default;
};

/// Where the variable that the assignment in `line` stores to is declared, in the same function, if that is as an
/// integer.
std::optional<IntegerSum> integer_sum_of(std::string_view source, std::uint32_t line);

/// The only line of the device's functions that declares something as `float`.
std::optional<Setting> only_float_declaration(std::string_view source);

}  // namespace cudalabs
