// How fast the processors of this machine are, for limits that are set in processor time.
#pragma once

namespace cudalabs::sandbox {

/// How many times as long this machine takes for the same work as the one on which limits of processor time were
/// chosen: 1 on that and on every faster one, at most 16. Measured in processor time when it is first asked for, some
/// milliseconds, so that other people's work counts little; then remembered.
double slowness_of_machine();

}  // namespace cudalabs::sandbox
