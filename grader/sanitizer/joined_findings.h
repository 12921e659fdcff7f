// Findings that have one cause, told once.
#pragma once

#include <vector>

#include "vgpu/finding.h"

namespace cudalabs::sanitizer {

struct JoinedFindings {
  std::vector<Finding> told;    // in their order; notes say how many others there are, and in which lines
  std::vector<Finding> others;  // that one of these speaks for, as they were
};

/// One finding speaks for others of its kind in the same kernel where they have its cause by what the virtual GPU saw:
///
/// - races between the same two lines on one array, such as all those that `bins[i]++` causes;
/// - races on one array with a line in common, for which the same is to be done, and no barrier;
/// - races with a line in common that the barrier orders, too, which is missing between the two lines of the first;
/// - accesses of the same thread to the same address, as often as the first: one wrong index, used several times;
/// - a read of what nobody has written, of the element, and by the thread, that reads too early in a race.
///
/// Who speaks is no less severe. Instances of a template are one kernel. Everything else, and every race without lines,
/// is told as it is.
JoinedFindings join_findings(std::vector<Finding> findings);

}  // namespace cudalabs::sanitizer
