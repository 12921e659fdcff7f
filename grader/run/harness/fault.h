// Tells the grader where the host code was when it died, so that the student hears a line and not only a signal.
#pragma once

#include <cudalabs/runner.h>

namespace cudalabs::harness {

/// Reports SIGSEGV, SIGBUS, SIGFPE and SIGILL, then lets them end the program as they would have.
void report_faults();

/// Device memory of a case's array: an access to it from the host is named after the array.
void remember_device_memory(const char* name, const void* begin, std::size_t bytes);
/// All of it, when it is freed.
void forget_device_memory();

}  // namespace cudalabs::harness
