// Macros whose values the compiler reads in another way than they are meant, for want of parentheses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "#define TILE WARP / 2", and in a line "n / TILE".
struct MisreadMacro {
  std::string value;       // "WARP / 2"
  std::string written;     // "/ TILE"
  std::string read_as;     // "/ WARP / 2"
  Setting definition;      // of its name
  std::uint32_t line = 0;  // where it is used

  bool operator==(const MisreadMacro&) const = default;
};

/// The first use, in that line, of a macro without parameters whose value is taken apart by the operator beside it;
/// line 0: in any line that is not preprocessed.
std::optional<MisreadMacro> misread_macro(std::string_view source, std::uint32_t line);

/// "the compiler reads `/ WARP / 2` where line 36 has `/ TILE`: ..."
std::string help_with(const MisreadMacro& macro);

/// Shows the definition beside findings that have such a use in a line that they show.
void show_misread_macros(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
