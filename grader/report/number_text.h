// Numbers as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {

/// "97.4 of 100 points": to a tenth, and never as all points while some are missing.
std::string points_text(double points, double max);

/// "97.4", "15": the points alone, as above.
std::string points_of(double points, double max);

/// "30,720".
std::string count_text(std::uint64_t count);

/// "1 launch", "30,720 launches".
std::string count_text(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace cudalabs
