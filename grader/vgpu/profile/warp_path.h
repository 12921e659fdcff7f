// What a warp that had a multiprocessor to itself would wait for from its first instruction to its last.
#pragma once

#include <cstdint>
#include <span>

#include "vgpu/exec/kernel_instructions.h"
#include "vgpu/profile/schedule_table.h"

namespace cudalabs::vgpu {

/// Waits one after the other, by kind, summed over warps; waits that overlap count once. How long each takes is the
/// GPU's business.
struct WarpPath {
  double issues = 0;  // cycles in which the warp had an instruction ready and no other choice
  double arithmetic = 0, special = 0, shared = 0, global = 0, barriers = 0;

  WarpPath& operator+=(const WarpPath& other);
  WarpPath operator*(double times) const;
};

/// `executed`: how often warps executed each of the kernel's instructions, by its number. Instructions of one iteration
/// of a loop are put into an order as a compiler would, longest waits first, and each is issued as soon as what it
/// reads is there. Loads do not move above stores to their space nor beyond barriers; branches do not hold them up.
WarpPath warp_path(const ScheduleTable& table, const KernelInstructions& kernel,
                   std::span<const std::uint64_t> executed);

}  // namespace cudalabs::vgpu
