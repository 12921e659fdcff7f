// Whether a pointer of a function still has the address of what the function has allocated with it. Read as text.
#pragma once

#include <cstdint>
#include <string_view>

namespace cudalabs {

/// In the function of that line, in which `allocate` sets `pointer`: nothing else gives the pointer an address, and no
/// loop allocates with it several times without a call of `release` with it. A release of the pointer then frees what
/// the line allocates, and all of it. False also for a pointer that the function's caller gives. `code` has no
/// comments.
bool has_own_memory(std::string_view code, std::uint32_t line, std::string_view release, std::string_view pointer);

}  // namespace cudalabs
