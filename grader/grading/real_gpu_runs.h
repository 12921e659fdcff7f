// What a grading on a real GPU adds to one on the virtual GPU: the same cases there, and the time they take.
#pragma once

#include "build/builder.h"
#include "check/submission_run.h"
#include "grading/request.h"

namespace cudalabs {

/// Builds the submission of `request` for the real GPU, runs every case on it that the virtual GPU saw nothing wrong
/// in, and times the submission when all of them are right. Judges the case runs anew. A submission that only `nvcc`
/// does not compile fails to build. Throws GpuUnfit.
void add_real_gpu(SubmissionRun& submission_run, BuildRequest request, const Toolchain& nvcc,
                  const ProgressListener& progress);

}  // namespace cudalabs
