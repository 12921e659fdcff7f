// Where in a function each register holds a value that may still be read.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// Operation i of the function, counted through its blocks in order, reads at position 2i and writes at 2i + 1.
struct LiveSegment {
  std::uint32_t begin = 0, end = 0;  // [begin, end)
};

struct LiveRanges {
  std::vector<std::vector<LiveSegment>> of;  // by register; ascending, not overlapping
  std::vector<bool> at_entry;                // by register: may be read before it is written
};

/// Nothing for functions so large that it would take too long.
bool find_live_ranges(const ir::Function& function, LiveRanges& ranges);

/// The most 32-bit registers a thread holds values in at any place: 8-byte values take two, predicates none.
std::uint32_t most_alive(const ir::Function& function, const LiveRanges& ranges);

bool overlap(const std::vector<LiveSegment>& a, const std::vector<LiveSegment>& b);

/// The union of two sets that do not overlap.
std::vector<LiveSegment> joined(const std::vector<LiveSegment>& a, const std::vector<LiveSegment>& b);

}  // namespace cudalabs::vgpu::exec
