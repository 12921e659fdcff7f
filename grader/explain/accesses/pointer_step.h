// A number of bytes that is added to a pointer which counts in larger elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// The only line before the end of the statement in `line`, and in the same function, that declares a pointer to a type
/// of more than one byte as another one plus the variable that the statement copies so many bytes of. Its names: the
/// pointer, and that variable.
std::optional<Setting> bytes_added_to_pointer(std::string_view source, std::uint32_t line);

/// Of a copy that was refused for it reaches past an allocation: shows that line in place of the allocation.
void show_pointer_step(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
