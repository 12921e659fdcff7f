// Why elements have no thread, as far as the program's text and the launches of all cases tell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/rounded_count.h"

namespace cudalabs {

/// What the launches of a kernel along one axis were large enough for.
struct LaunchedSize {
  std::string taken;  // "m * n", of the sizes that the cases have; exactly so many blocks as it needs
  std::string right;  // likewise, as many as the output has elements; empty: none

  bool operator==(const LaunchedSize&) const = default;
};

/// The one product of sizes that gives the number of blocks in every case, where there are three numbers of blocks at
/// least. Not where that is the number of elements.
std::optional<LaunchedSize> launched_size(const SubmissionRun& submission_run, const std::string& kernel,
                                          const std::string& output);

/// The elements that are missing in each case are the last ones, as many as a division by that number drops.
bool leaves_out_the_missing(const Division& division, const MergedFinding& finding,
                            const SubmissionRun& submission_run);

/// Of findings of elements that nobody wrote: where there were too few threads, which size they were counted by, and
/// the line that sets it; where each thread does several elements, the division that leaves out the last ones, if those
/// are the ones that are missing in each case. `source` is the submission's text, `file` its name.
void explain_missing_elements(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                              const SubmissionRun& submission_run);

}  // namespace cudalabs
