// Two neighbouring statements in the other order.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: an event that is recorded or waited for too early or too late, a launch, a copy, a wait of the host, a
/// question for errors, a clock or a barrier on the wrong side of its neighbour, a variable that moves on before or
/// after its use. Statements whose order does not matter are left as they are.
void add_orders(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
