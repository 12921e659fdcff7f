// Constants of a source that the integer type which they are converted to cannot hold. Read as text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "source/narrow_type.h"

namespace cudalabs {

/// One that has another value after that: 150 of "int8_t green = 150".
struct NarrowConstant {
  NarrowType type;
  std::int64_t value = 0;
  std::string_view name;               // of what has it then: a variable, an array, a parameter; empty: nothing has
  std::uint32_t line = 0, column = 0;  // of the constant
  bool argument = false;               // of a function that has the parameter

  std::int64_t held() const { return type.wrapped(value); }
};

/// In variables, arrays and structures with values of their own, behind casts, and given to functions of the source;
/// in the order of the text. Not where bits are meant: of hexadecimal numbers, and of those below 0 in an unsigned
/// type. `code` has no comments, and must outlive them. Takes time in proportion to its length.
std::vector<NarrowConstant> narrow_constants_of(std::string_view code);

}  // namespace cudalabs
