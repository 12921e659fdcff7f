// Several things in one sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cudalabs {

/// "a", "a and b", "a, b and c".
std::string enumeration(std::span<const std::string> items);
/// The same, each between backticks.
std::string enumeration_of_names(std::span<const std::string> names);
/// "line 66", "lines 66, 67 and 68".
std::string enumeration_of_lines(std::span<const std::uint32_t> lines);

}  // namespace cudalabs
