// One small change of a submission that makes its wrong results right: where it is made is the mistake.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs {

/// Whether the results of a mutant are right for the case: of each output one of the last copies to the host of its
/// size has the right values, as many as there are outputs of that size.
bool is_right(const vgpu::Mutant& mutant, const datasets::Case& test);

/// Of the repairs the one that says most: one that has words, does not do much more work than
/// others, and is in the line that has most of them; null: there is none.
const Repair* best_repair(const Repairs& repairs, std::string_view source);

/// Whether the best of them can be told in the words of the source.
bool has_words(const Repairs& repairs, std::string_view source);

/// How long a repair is worth to be looked for, by the first of the findings: not at all, where it says as much by
/// itself; among the likely changes, where it knows which elements are missing; among all.
enum class RepairEffort : std::uint8_t { none, likely, all };
RepairEffort effort_for_repair(const std::vector<MergedFinding>& findings);

/// The launch in that line makes its grid of several variables there, "grid_for(height, width)": of elements that are
/// missing these may be in a wrong order as well, and the kernel's own arguments help by chance.
bool makes_grid_of_several(std::string_view source, std::uint32_t line);

/// Blames the line of the submission's best repair where the first finding is of a wrong output. False where there is
/// no repair, or the finding is proven, or says as much by itself, all the more if it is `explained`. `source` is the
/// submission's text, `file` its name.
bool show_repair(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                 const SubmissionRun& submission_run, bool explained);

}  // namespace cudalabs
