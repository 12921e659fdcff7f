// How a matcher tells the session that it failed for want of anything to look at, such a failure accuses nobody; and
// that its words are all that is to be said.
#pragma once

namespace cudalabs {

/// Said by a matcher as it fails: whether it saw nothing. The session takes it when that assertion has ended.
void note_nothing_seen(bool nothing);

/// What was said last since this was last asked; false when nothing was said.
bool take_nothing_seen();

/// Likewise, whether it says of each case what to do: the help that the lab has for all failures is then of no use.
void note_explained(bool explained);
bool take_explained();

}  // namespace cudalabs
