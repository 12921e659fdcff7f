// Threads that do several elements in loops, and leave some out.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of elements that nobody wrote: where a loop goes on to further elements, no number of threads is to blame. Of these,
/// of wrong values that nothing else explains, and of reads of what such a loop was to write: a loop whose counter
/// nothing sets back, or that another one has taken to its end, is shown, and the result is whether there is one.
bool show_thread_loop(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
