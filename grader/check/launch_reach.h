// Whether a launch had a thread for every element of an output that was not written everywhere.
#pragma once

#include <string>
#include <string_view>

#include "check/comparison.h"
#include "check/mismatch.h"
#include "run/run.h"

namespace cudalabs {

/// `axis`: 'x' or 'y', where there are too few along that axis alone; else '\0'.
Help help_for_few_threads(char axis);
/// The axis of such a help; '\0': it names none.
char short_axis_in(const Help& help);

/// Adds to `mismatch`, of elements that nobody wrote or of wrong values that follow the blocks, what was launched. Of
/// elements that nobody wrote it also says what follows from that: too few threads, two axes that the launch or the
/// kernel exchanges, an index or a guard that is wrong, or elements that no thread of those which do several has taken.
/// Of too few, and of axes that the launch exchanges, the launch is to blame, and the line that stores is the other
/// place. Looks at the launch of the kernel that wrote the others; of an output on the host, at the launch. Where there
/// were several of them, nothing follows.
void name_threads(Mismatch& mismatch, const Comparison& comparison, const Observation& observed);

/// Of a second call whose first was right, the launch may be that of the first: what name_threads() has said of
/// exchanged axes is taken back.
void withdraw_exchange(Mismatch& mismatch);

}  // namespace cudalabs
