// Asks of right results whether the device has computed them.
#pragma once

#include <filesystem>
#include <vector>

#include "check/submission_run.h"
#include "lab/lab.h"

namespace cudalabs {

struct AuditSetup {
  const Lab* lab = nullptr;
  std::filesystem::path runner;          // the build that the case runs were run on
  std::filesystem::path source;          // the student's file, to name it in findings
  sandbox::Budget* budget = nullptr;     // of the whole grading; null: none
  runner::DeviceHost* host = nullptr;    // likewise
  runner::SourceLines* lines = nullptr;  // likewise
};

/// Fills in where the results of the cases were computed, and what is wrong with those that were not on the device; the
/// runs must have recorded their copies, which are dropped here. One case is run once more; so is every case
/// whose copies and launches leave open whether the host has computed the result (host_influence.h); and all, where one
/// is found wanting. Not those that are wrong anyhow. Of those in which calls are made to fail, all whose outputs are
/// there in spite of it. A case whose further run uses up the budget has not ended well. Throws
/// what run() throws.
void audit(std::vector<CaseRun>& case_runs, const AuditSetup& setup);

}  // namespace cudalabs
