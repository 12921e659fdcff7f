// Finds the launches that went well but that nobody asked about: had one failed, it would have gone unnoticed.
#pragma once

#include "vgpu/cudart/server_report.h"

namespace cudalabs::runner {

/// Adds an `unchecked-launch` warning, placed at the launch, when the submission launched kernels and never called
/// cudaGetLastError or cudaPeekAtLastError afterwards; the harness's own look at the end of a case is not among the
/// calls. Does nothing when the server already reported launches that failed unseen.
void add_unasked_launch(vgpu::ServerReport& report);

}  // namespace cudalabs::runner
