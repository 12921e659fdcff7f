// Numbers with their nouns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {

/// "1 byte", "2 bytes", "0 groups": of nouns whose plural has an s.
std::string counted(std::uint64_t number, std::string_view noun);
/// "1 pass", "2 passes".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace cudalabs
