// Where device code computes the bits of a `float`. Read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudalabs {

/// The only line of the device's functions that makes a `float` of bits, `__int_as_float(...)`, or that changes the
/// integer member of a union with a `float`; nothing: there are several, or none. `code` has no comments.
std::optional<std::uint32_t> only_float_bits(std::string_view code);

}  // namespace cudalabs
