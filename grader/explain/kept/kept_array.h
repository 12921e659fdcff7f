// An array that the program has kept from an earlier call, where this one needs more.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// Of the call of `cudaMalloc` or the like in `line`: where the pointer is declared that it sets, if that outlives the
/// function: outside of all functions, or as `static`. The only such line.
std::optional<Setting> kept_pointer_of(std::string_view source, std::uint32_t line);
/// Likewise the only pointer of that name. `code` has no comments.
std::optional<Setting> kept_pointer_called(std::string_view code, std::string_view name);

/// Of a finding of an access or a copy past the end of such an array: shows the pointer that is kept.
void show_kept_array(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
