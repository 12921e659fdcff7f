// Which line a wrong value comes from, where the values themselves say what went wrong.
#pragma once

#include <string_view>

#include "check/comparison.h"
#include "check/mismatch.h"
#include "run/run.h"

namespace cudalabs {

/// What the other place of such a finding is: the line that it was blamed on before.
inline constexpr std::string_view kStoredHere = "the result is stored here";
/// Likewise, where each thread fills its own places of an array that no other thread sees.
inline constexpr std::string_view kOwnPlaces =
    "each thread has an array of its own, and fills only the places of its number";

/// Places `mismatch` at the line that has the part in its value which the value shows: where digits are lost, where the
/// end of a loop is computed that stops too early, the way out of it that depends on data, the fill of a tile, the
/// launch that has too few blocks. Does nothing where the values fit no pattern, or no such line is known.
void name_origin(Mismatch& mismatch, const Comparison& comparison, const Observation& observed);

}  // namespace cudalabs
