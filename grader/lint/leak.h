// Whether a text that students get gives the solution away.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cudalabs::lint {

/// Passages of the solution that stand in `released`, each as its first line: `fewest` lines of code (2 or more), one
/// after the other, that say something (a brace alone does not) and that the skeleton's own code does not have.
/// Comments of the solution do not count; comments of the released text do, and neither spaces nor blank lines hide
/// anything.
std::vector<std::string> leaks(const std::string& solution, const std::string& skeleton, const std::string& released,
                               std::size_t fewest = 2);

}  // namespace cudalabs::lint
