// A case before it is run: its data, and what has to be found out first.
#pragma once

#include <cstdint>

#include "check/submission_run.h"
#include "datasets/dataset.h"
#include "lab/lab.h"
#include "run/run.h"

namespace cudalabs {

/// A case of `lab` with its data, and with that of the case with which the function is called before. Throws what the
/// lab's generator throws, and std::runtime_error when there is no such generator.
CaseRun prepared_case(const Lab& lab, const datasets::CaseSpec& spec, std::uint64_t seed);

/// Where the last launch is to fail, runs the case without faults to find out which one that is. `request` is the run
/// that will follow. Throws what run() throws.
void find_last_launch(CaseRun& case_run, RunRequest request);

}  // namespace cudalabs
