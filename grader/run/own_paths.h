// Findings and coverage with the student's own path in place of the one the compiler saw. Pure.
#pragma once

#include <string>

#include "build/diagnostics.h"
#include "run/run.h"

namespace cudalabs::runner {

/// Replaces job paths in every place of findings, watched calls, coverage, accesses, reads and barrier sites.
void use_own_paths(Observation& observation, const builder::PathNames& names);

}  // namespace cudalabs::runner
