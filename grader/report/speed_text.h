// A speed in words.
#pragma once

#include <string>

#include "speed/speed_result.h"

namespace cudalabs {

/// "measured: 1.49 times the speed of a naive product ...": one line, of any length.
std::string speed_text(const SpeedResult& result);

std::string_view name_of(SpeedResult::Kind kind);  // "measured"

}  // namespace cudalabs
