// The macros that a source defines in one line each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cudalabs::patch {

/// "#define AT(r, c) r * n + c".
struct MacroDefinition {
  std::string_view name;
  std::vector<std::string_view> parameters;
  std::string_view value;  // "r * n + c"
  std::size_t begin = 0;   // of the value, in the text
  std::uint32_t line = 0;
};

/// None with an empty value, a very long one, or one that goes on in the next line.
std::vector<MacroDefinition> macro_definitions(std::string_view code);

}  // namespace cudalabs::patch
