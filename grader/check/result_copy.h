// The copy that brings an output of the host back, where elements of the output were never written, or should not have
// been.
#pragma once

#include <string_view>
#include <vector>

#include "check/comparison.h"
#include "check/mismatch.h"
#include "run/run.h"

namespace cudalabs {

/// Places `mismatch`, of elements of an array of the host that nobody wrote: at the line of a kernel that stored to the
/// array on the device, where a copy brought bytes back that nothing had written there; at the copy, where it brought
/// others, or too few, or before the kernel ran. Returns true where the copy is at fault, and nothing else needs to be
/// said. One that was written although a call had failed is placed at the call that told of the failure, at the
/// launch if none did, or at a copy that came before. Does nothing for outputs on the device, and for other faults.
bool name_copy(Mismatch& mismatch, const Comparison& comparison, const Observation& observed);

/// The lines that stored to the output; where it is an array of the host, to the arrays that were copied back.
std::vector<vgpu::ArrayWriter> writers_of(std::string_view output, const Observation& observed);

}  // namespace cudalabs
