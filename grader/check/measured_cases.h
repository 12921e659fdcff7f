// Cases in which a submission measures time share the machine with whatever else runs there. One that a busy machine
// may have disturbed is run again before it counts; a submission that measures wrongly does so every time.
#pragma once

#include <functional>
#include <string_view>

#include "check/submission_run.h"

namespace cudalabs {

/// Whether what the case measured is wrong in a way that a busy machine can cause. Asked before the case run is judged.
using Disturbed = bool (*)(const CaseRun& case_run);

/// A lab's file of checks registers its own, as a static object.
struct MeasuredCases {
  /// `slug`: the lab's folder, with static storage. Throws std::logic_error when it has registered before.
  MeasuredCases(std::string_view slug, Disturbed disturbed);
};

/// Null for a lab that judges nobody by a clock.
Disturbed disturbed_for(std::string_view slug);

constexpr int kMostRuns = 4, kMostRunsWhenBusy = 12;

/// More processes want to run, in the mean over a minute, than there are processors.
bool machine_is_busy();

/// Fills in what was observed of the case run's case: the first run that is not disturbed, or the last of kMostRuns; of
/// kMostRunsWhenBusy, while `is_busy`. `disturbed` may be null.
void observe_undisturbed(CaseRun& case_run, Disturbed disturbed, const std::function<Observation()>& observe,
                         const std::function<bool()>& is_busy = machine_is_busy);

}  // namespace cudalabs
