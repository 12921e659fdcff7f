// How much a wrong sample is like a right one. A sample that differs in more than its bug shows less: a grading may be
// right for another reason.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "lint/samples.h"

namespace cudalabs::lint {

/// In more places a wrong sample may differ only where it says why, `// DIFFERS: ...`.
inline constexpr std::size_t kMostPlaces = 8;

/// In how many places a wrong sample differs from the right one that is nearest to it: the solution, an alternative or
/// a step of the ladder among `samples`. Comments, line ends and spacing do not count. 0: `samples` has no right one.
std::size_t places_from_nearest_right(const Sample& wrong, const std::vector<Sample>& samples);

/// How many wrong samples differ in how many places.
using PlacesOfWrong = std::map<std::size_t, std::size_t>;
void count_places(PlacesOfWrong& counts, const std::vector<Sample>& samples);
/// A line for people; empty where nothing was counted.
std::string described(const PlacesOfWrong& counts);

}  // namespace cudalabs::lint
