// Threads that do several elements in loops, and leave some out.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of elements that nobody wrote: where a loop goes on to further elements, no number of threads is to blame. Of these,
/// and of wrong values that nothing else explains: a loop whose counter nothing sets back is shown, and the result is
/// whether there is one.
bool show_thread_loop(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
