// Which cases need not run any more, because they can cost no more points.
#pragma once

#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "check/submission_run.h"

namespace cudalabs {

/// A limit of time ended the run, or a kernel was stopped.
bool never_ended(const Observation& observed);

/// Spares a student the wait for cases that can no longer change the score: where one case of a check does not end, the
/// check fails whatever its other cases do, and so does every check that looks at all cases. Where the results of one
/// case are wrong, a large one need not show it again. Safe to use from several threads.
class LostChecks {
 public:
  /// Whether a case may be left out.
  bool lost_with(const datasets::CaseSpec& spec) const;
  /// The first case that did not come to an end, because of which the others have to be quick; empty: none.
  std::string tried() const;
  void note(const CaseRun& case_run);

 private:
  mutable std::mutex mutex_;
  std::set<std::string> wrong_;    // tags with a case whose results are not right
  std::set<std::string> endless_;  // tags with a case that never ended
  std::string first_;
};

/// Places in `cases`, in the order in which they run: large ones last.
std::vector<std::size_t> running_order(const std::vector<datasets::CaseSpec>& cases);

}  // namespace cudalabs
