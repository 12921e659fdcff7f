// Numbers with their nouns.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace cudalabs::course {

/// "1 group", "0 groups": of nouns whose plural has an s.
inline std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace cudalabs::course
