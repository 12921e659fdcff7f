// How a matcher tells the session that its check passed without a look at some cases: nobody knows what they would have
// shown.
#pragma once

#include <string>

namespace cudalabs {

/// Said by a matcher that finds nothing to object to in the other cases. The session takes it when the test case ends.
void note_unseen(std::string which_and_why);

/// What was said last since this was last asked; empty when nothing was said.
std::string take_unseen();

}  // namespace cudalabs
