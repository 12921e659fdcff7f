// Cases in which a submission measures time share the machine with whatever else runs there. One that a busy machine
// may have spoiled is run again before anybody is judged by it; who measures wrongly does so every time.
#pragma once

#include <functional>
#include <string_view>

#include "check/evidence.h"

namespace cudalabs {

/// Whether what the case measured is wrong in a way that a busy machine can cause. Asked before the trial is judged.
using Spoiled = bool (*)(const Trial& trial);

/// A lab's file of checks registers its own, as a static object.
struct MeasuredCases {
  /// `slug`: the lab's folder, with static storage. Throws std::logic_error when it has registered before.
  MeasuredCases(std::string_view slug, Spoiled spoiled);
};

/// Null for a lab that judges nobody by a clock.
Spoiled spoiled_for(std::string_view slug);

constexpr int kMostRuns = 4;

/// Fills in what was observed of the trial's case: the first run that is not spoiled, or the last of kMostRuns.
/// `spoiled` may be null.
void observe_unspoiled(Trial& trial, Spoiled spoiled, const std::function<Observation()>& observe);

}  // namespace cudalabs
