// The words of findings: message, note and help for every verdict.
#pragma once

#include "vgpu/check/finding_log.h"

namespace cudalabs::vgpu {

/// Adds what every finding carries (id, severity, kernel, place, block, thread, address, count) and the verdict's
/// words.
Finding finding_in_words(const Sighting& sighting, const LaunchNames& names, const LaunchConfig& config);

/// The advice that a barrier separates no conflicting accesses.
Finding redundant_barrier(std::string kernel, SourcePlace where, std::uint64_t executed);

}  // namespace cudalabs::vgpu
