// What a launch gave its kernel, beside an access past the end of an array.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Adds the numbers that the launch gave to what the finding says of the launch, by the names that the kernel has for
/// them; where the launch gave it a pointer into the array, and not to its first element, shows the launch. `source` is
/// the text of the finding's file.
void show_given_arguments(MergedFinding& finding, std::string_view source);

/// A whole number by the kernel's name for it.
struct NamedNumber {
  std::string name;
  std::uint64_t value = 0;
};

/// Those that the launch gave, in the order of the parameters.
std::vector<NamedNumber> numbers_given(const MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
