// The subscript of the element that a finding's place is about, read as text.
#pragma once

#include <cstdint>
#include <string_view>

namespace cudalabs {

/// Between the brackets of the element that is read, from the column on, or stored to, before the `=` there. Empty:
/// there is none, or the line is long.
std::string_view subscript_at(std::string_view line, std::uint32_t column);

}  // namespace cudalabs
