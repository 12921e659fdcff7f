// Tells the grader where the host code was when it died, or ended the program, so that the student hears a line and not
// only a signal.
#pragma once

#include <cstddef>

#include "run/harness/runner_protocol.h"

namespace cudalabs::harness {

/// Reports the signals of faults, SIGABRT and that of the limit of processor time, then lets them end the program as
/// they would have.
void report_faults();

/// Whether it is the submission that runs, which must not end the program.
void watch_exits(bool watched);

/// Memory at or around a case's array that the host must not access: an access is named after the array.
void remember_memory(Hit hit, const ArrayRecord& record, const void* begin, std::size_t bytes);
/// All of it, before it is freed.
void forget_memory();

}  // namespace cudalabs::harness
