// Part of the points of a check, awarded by its test case where it is not all or nothing.
#pragma once

#include <optional>

namespace cudalabs {

/// The test case that runs now earns this share of its check's points, 0 to 1, should it fail. Throws std::logic_error
/// for any other number.
void award(double share);

/// What was awarded since the last time this was asked; the session asks after each test case.
std::optional<double> take_award();

}  // namespace cudalabs
