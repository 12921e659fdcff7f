// Random small launches: few locations, few threads, every kind of access and of synchronisation.
#pragma once

#include <cstdint>

#include "event_script.h"

namespace cudalabs::vgpu::testing {

struct GeneratorOptions {
  std::uint32_t blocks = 2;
  std::uint32_t threads = 40;    // the second warp is a partial one
  std::uint32_t events = 12;     // a block
  std::uint32_t words = 2;       // locations in each memory
  bool narrow_accesses = false;  // 1, 2, 8 and 16 bytes
  bool atomics_and_fences = true;
  bool counted_barriers = true;
  bool partial_warp_syncs = true;
  bool global = true, shared = true;
  bool whole_warps = false;  // accesses by all lanes, in the patterns of rows, columns and broadcasts
};

/// Every event has an instruction of its own, numbered from 1 in the order of generation. Blocks are performed one
/// after the other, or mixed.
Script random_script(std::uint64_t seed, const GeneratorOptions& options, bool mixed_blocks);

/// The same events, blocks in another order: every block's own order stays.
Script with_blocks_permuted(const Script& script, std::uint64_t seed);

}  // namespace cudalabs::vgpu::testing
