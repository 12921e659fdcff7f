// Clocks of the host that show another time than they do, so that a program cannot rely on what they happen to show.
#pragma once

#include <time.h>

namespace cudalabs::harness {

/// From now on clocks of the host are days ahead of what they showed before, and the first reading of each kind of
/// clock, those of the day and those that only count on, is a microsecond before a full second. How much a clock is
/// ahead stays as it is until this is called again: differences between two readings are right.
void set_clocks_ahead();

/// How much `clock` is ahead, in nanoseconds, for a reading of `now` on it; 0 for clocks of processor time.
long long nanoseconds_ahead(clockid_t clock, const timespec& now);

/// `time` on `clock` as the system knows it, of a time that the program computed from a reading: a wait's end.
timespec without_ahead(clockid_t clock, const timespec& time);

timespec plus(const timespec& time, long long nanoseconds);

}  // namespace cudalabs::harness
