// How much of an allocation was written when a kernel read what nobody had written.
#pragma once

#include <cstdint>
#include <span>

#include "vgpu/finding.h"

namespace cudalabs::vgpu {

class GlobalMemory;

/// The bytes at the front of the allocation that holds `address`, where these are written and nothing behind them; 0:
/// it is not so, or the allocation is too large to look through. No kernel may run.
std::uint64_t written_front(const GlobalMemory& memory, std::uint64_t address);

/// Tells the first reads of global memory that nobody has written (AccessFacts::written), after their launch.
void note_written_fronts(std::span<Finding> findings, const GlobalMemory& memory);

}  // namespace cudalabs::vgpu
