// What a race is called: by the memory, by how far apart the threads are, and by whether they write the same.
#pragma once

#include <cstdint>

#include "vgpu/check/access_history.h"
#include "vgpu/check/finding_log.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// `now`, which is lane `lane` of `a`, races with lane `other` of `old`. `relies_on_volatile`: nothing else is wrong
/// with the two, see count_on_volatile.
Verdict race_verdict(const WarpAccess& a, const PastAccess& old, const PastAccess& now, bool relies_on_volatile,
                     std::uint32_t lane, std::uint32_t other);

/// Both threads write the same value.
bool writes_the_same(Verdict verdict);
/// Lanes of one warp count on `volatile` to keep them in step.
bool relies_on_volatile_alone(Verdict verdict);
/// A race of `log` is an error: it is of neither of the two kinds that are warnings.
bool has_erroneous_race(const FindingLog& log);

}  // namespace cudalabs::vgpu
