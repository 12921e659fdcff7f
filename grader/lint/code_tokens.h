// The code of a sample without its comments, line ends and spacing, so that two samples can be compared.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::lint {

/// Names, numbers, texts and signs, in their order; a line of the preprocessor is one token. Comments are none.
std::vector<std::string> tokens_of(std::string_view code);

/// What the device's code is made of: all but the includes, and the functions that only the host has. Where it has a
/// template all of it: the host's code says what is made of that.
std::vector<std::string> device_tokens(const std::vector<std::string>& tokens);

/// In how many places `one` and `other` differ. Differences with fewer than kApart equal tokens between them are one
/// place, up to kPlace tokens that only one of the two has: so codes that have nothing in common differ in many places.
std::size_t places_of_difference(std::span<const std::string> one, std::span<const std::string> other);
inline constexpr std::size_t kApart = 8;   // about a line of code
inline constexpr std::size_t kPlace = 64;  // some lines that are replaced by others

}  // namespace cudalabs::lint
