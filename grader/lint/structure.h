// Whether a lab is whole before anything of it is graded.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"

namespace cudalabs::lint {

/// Everything that does not agree between a lab's parts, a sentence each, with the file it is about:
/// - 100 points, and the handout's points table is that of lab.toml;
/// - three levels of hints, and every file that handout and hints link to is there;
/// - every case has data, and every correctness check a case;
/// - what is timed, and the baseline it is compared with, are known and can be made at their sizes;
/// - every explanation can be given;
/// - the mirror holds the solution, hidden cases, and submissions that say what they expect, where `// wrong:` marks
///   each bug, and no name of a check that the lab does not have;
/// - a wrong submission differs from a right one in few places, or says why;
/// - nothing in the lab's folder gives the solution away.
/// Without a mirror, as in what students get, only the first five.
std::vector<std::string> structure_faults(const Lab& lab);

/// What the author of a new lab has left to do: each line that says so, with its place, and submissions of which there
/// are too few (eight wrong and three alternative ones).
std::vector<std::string> left_to_do(const Lab& lab);

}  // namespace cudalabs::lint
