// Whether a launch had a thread for every element of an output that was not written everywhere.
#pragma once

#include <string>
#include <string_view>

#include "check/comparison.h"
#include "check/mismatch.h"
#include "run/run.h"

namespace cudalabs {

/// Asked where there would be threads enough if x counted the rows, which one case alone does not prove.
inline constexpr std::string_view kAxesQuestion =
    "there are threads enough if x counts the rows: do the launch and the kernel agree on which axis counts rows, "
    "and which columns?";

/// `axis`: " along x", where there are too few along that axis alone; else empty.
std::string help_for_few_threads(const std::string& axis);
/// 'y' of such a help for " along y"; '\0': it names no axis.
char short_axis_in(std::string_view help);

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
