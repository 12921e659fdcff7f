// The findings of all cases as one list in which every bug stands once.
#pragma once

#include <vector>

#include "check/evidence.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// The findings of the build and of every case: those with the same id, places and kernel are one (counts add up, the
/// cases are named in the note), and so are all mismatches of one kind in one output (the clearest case is shown).
/// Advice against a barrier is given only if no case needs it, and only when nothing is wrong. Errors come first, then
/// warnings, then advice; within these causes (build, device, by cause_rank()) come before symptoms (early ends, wrong
/// output). What is seen only in cases in which a call was made to fail comes after what goes wrong by
/// itself. What only follows from another finding is left out.
std::vector<Finding> merge_findings(const Evidence& evidence);

}  // namespace cudalabs
