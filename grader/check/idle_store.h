// An output that nobody wrote, for no thread came to the line that stores to it.
#pragma once

#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/mismatch.h"
#include "check/submission_run.h"
#include "vgpu/array_writer.h"

namespace cudalabs {

/// Gives `mismatch`, of an output that was not written at all and has no line, the only line that stores to it.
/// `stores`: those that no thread came to.
void name_idle_store(Mismatch& mismatch, const std::vector<vgpu::ArrayWriter>& stores);

/// Of such a finding: the condition that kept all threads from the line, by the counts of a run, or where the one
/// variable is set that it asks for.
void show_deciding_condition(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run);

}  // namespace cudalabs
