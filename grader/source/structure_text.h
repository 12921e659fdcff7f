// Structures of a source, read as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// The members of the structure of that name, in their order, where each is one word of 4 bytes; empty where the source
/// does not say so plainly.
std::vector<std::string> word_members(std::string_view source, std::string_view type);

}  // namespace cudalabs
