// Runs a built submission on the cases of a lab.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "build/builder.h"
#include "check/submission_run.h"
#include "grading/fast_build.h"
#include "grading/request.h"
#include "lab/lab.h"

namespace cudalabs {

/// True when a check looks at the counters of this case: its tag is the id of a check on speed or quality.
bool wants_counters(const Lab& lab, const datasets::CaseSpec& spec);

/// The case that shows best how a kernel accesses memory: of the cases that are not hidden, and that nothing is made to
/// fail in, the first whose counters a check looks at, else the one with the largest sizes. Its name; empty when there
/// is none.
std::string case_to_explain(const Lab& lab);

/// What all case runs of one grading have in common.
struct CaseRunSetup {
  const Lab* lab = nullptr;
  std::filesystem::path source;          // the student's file, to name it in findings
  std::uint64_t seed = 0;                // of the data, but for cases with a seed of their own
  std::string recorded;                  // the case in which accesses are recorded; empty: none
  sandbox::Budget* budget = nullptr;     // of the whole grading
  runner::DeviceHost* host = nullptr;    // likewise
  runner::SourceLines* lines = nullptr;  // likewise
  bool waits_for_calm = true;            // measures again more often on a busy machine
};

/// Generates every case of the lab, runs it on the checked build and, where the result was right, and counters are
/// wanted or the fast build has wide accesses, on the fast build, if that compiles; two cases at a time. Judges them
/// all. In the order of lab.toml, without cases that a time limit in another case of the same checks made pointless.
/// Once the budget is used up, no case runs any more: each of the rest has ended as `RunEnd::over_budget`. Throws what
/// the generator, the sandbox or the virtual GPU throw when they themselves fail.
std::vector<CaseRun> run_cases(const CaseRunSetup& setup, const BuildResult& checked, FastBuild& fast,
                               const ProgressListener& progress);

}  // namespace cudalabs
