// The time that a sample's grading gets, and the time that it may use.
#pragma once

#include <string>

#include "lint/samples.h"

namespace cudalabs::lint {

/// What is not there to use up its time has a multiple of a student's: a verdict on the labs' files must not depend on
/// how busy the machine is.
double more_time_for(const Sample& sample);

/// What is to be said of a sample that is not there to use up its time, and used more processor time than a student's
/// grading has. Both in seconds, `limit` of the grading as it was, with more_time_for() the sample. Empty: nothing.
/// Other work on the machine makes processor time longer, too: that is why it is judged only where that is asked for.
std::string long_time(const Sample& sample, double used, double limit);

}  // namespace cudalabs::lint
