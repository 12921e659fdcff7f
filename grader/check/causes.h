// Which findings are causes, and which only follow from them.
//
// One bug shows in many ways: a missing barrier is a race, reads of what was not written yet, and a wrong output that
// differs from device to device. Only the cause is worth a student's time, and only the cause is the same on every
// device and under every schedule.
#pragma once

#include <vector>

#include "check/comparison.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// The findings of one run of one case.
using CaseFindings = std::vector<Finding>;

/// The findings of every case without those that follow from others (places are compared with file, line and column):
/// - a race or an uninitialised read at a place where some case reads or writes out of bounds: the access only happened
///   to hit another array;
/// - an uninitialised read at a place that races: the value was not there yet;
/// - a race or an uninitialised read in a kernel whose threads, in this case, do not all reach the same barriers: those
///   that stay away neither wait nor do their part. A race that decides where threads go may be why, and is kept;
/// - every other error of a case in which a variable keeps its value from an earlier launch: without that there is
///   none.
/// An access out of bounds is the allocation's fault where that of another case, at the same two places, is.
/// What is left out is always outweighed by an error that is kept.
std::vector<CaseFindings> causes(const std::vector<CaseFindings>& cases);

/// True when a fault in the output of a case only follows from the findings of that case, so that it is no finding of
/// its own. Everything follows from a kernel that was not launched; a wrong value or a NaN follows from a race, an
/// uninitialised read, an access out of bounds, and from threads that miss a barrier; an output that a failed launch
/// should have left alone, from nobody having asked whether it failed.
bool follows(Fault fault, const CaseFindings& findings);

}  // namespace cudalabs
