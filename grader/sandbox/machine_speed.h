// How fast the processors of this machine are, for limits that are set in processor time.
#pragma once

namespace cudalabs::sandbox {

/// How many times as long this machine takes for the same work as the one on which limits of processor time were
/// chosen: 1 on that and on every faster one, at most 16. Measured in processor time when it is first asked for, some
/// milliseconds, so that other people's work counts little; then remembered.
double slowness_of_machine();

/// Takes this machine for `factor` times as slow as it is measured to be, from now on and in this process: for gradings
/// whose verdict must not be that a busy machine took too long. Throws std::invalid_argument below 1.
void allow_more_time(double factor);

}  // namespace cudalabs::sandbox
