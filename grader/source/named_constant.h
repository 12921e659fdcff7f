// The names of a source's constants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {

/// The only constant or macro of that value that the line may use; empty: there is none, or there are several. `code`
/// has no comments.
std::string constant_worth(std::string_view code, std::int64_t value, std::uint32_t line);

}  // namespace cudalabs
