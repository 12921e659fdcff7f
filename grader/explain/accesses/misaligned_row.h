// A wide access at the beginning of a row, where the length of a row is no multiple of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Of accesses of several elements at an address that is no multiple of their size: says after how many elements the
/// row begins, and shows the condition that lets the program take such accesses: the host's question for a multiple
/// that the launch depends on; that around the launch, where a parameter of the kernel's template decides; the
/// innermost `if` around the access, or around the only call of its function. `source` is the text of `file`.
void show_misaligned_rows(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run);

}  // namespace cudalabs
