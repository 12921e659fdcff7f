// Which variable of a line was never given a value. The registers that the device sees have no names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "source/setting_text.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// The declaration, in the same function and before, of the one variable that the line uses and that was declared
/// without a value; of several, of the one that no line sets before. Nothing where more than one is left, or an array.
std::optional<Setting> unset_variable_in(std::string_view source, std::uint32_t line);

/// Gives a finding that a kernel computes with an unset register the variable's name, and where it is declared.
/// `source` is the text of the file in which it stands.
void name_unset_variable(Finding& finding, std::string_view source);

}  // namespace cudalabs
