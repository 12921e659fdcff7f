// Whether a lab is whole before anything of it is graded.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"

namespace cudalabs::lint {

/// Everything that is missing or does not agree between a lab's parts, a sentence each, with the file it is about:
/// - 100 points, and the handout's points table says the same as lab.toml;
/// - three levels of hints, and every file that handout and hints link to is there;
/// - every case has data, and every correctness check a case;
/// - what is timed, and the baseline it is compared with, are known and can be made at their sizes;
/// - the mirror holds the solution, hidden cases, at least eight wrong and three alternative submissions that say what
/// they
///   expect, where `// wrong:` marks each bug, and no name of a check that the lab does not have;
/// - nothing in the lab's folder gives the solution away.
/// Without a mirror, as in what students get, only the first four.
std::vector<std::string> structure_faults(const Lab& lab);

}  // namespace cudalabs::lint
