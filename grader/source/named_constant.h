// The names of a source's constants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// "TILE" of "#define TILE 16" and of "constexpr int TILE = 16;": of the first 64 such names, sorted. `code` has no
/// comments.
std::vector<std::string_view> constants_of(std::string_view code);

/// The only constant or macro of that value that the line may use; empty: there is none, or there are several. `code`
/// has no comments.
std::string constant_worth(std::string_view code, std::int64_t value, std::uint32_t line);

}  // namespace cudalabs
