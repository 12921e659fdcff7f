// Idioms of threads that hand data to each other, as event streams, and what the race checkers say of a stream.
#pragma once

#include <cstdint>
#include <vector>

#include "event_script.h"
#include "vgpu/check/global_shadow.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu::testing {

constexpr LaneMask kLane0 = 1;

/// The same address for every thread.
inline auto at(std::uint64_t address) {
  return [address](std::uint64_t) { return address; };
}

/// What the exact recorder finds.
std::vector<Finding> recorded(const Script& script);

/// Whether the filter suspects a race. It leaves its marks in the shadow of [kGlobal, kGlobal + 1 MiB): the first form
/// has one for all its calls, as a program has for all its launches.
bool suspicious(const Script& script);
bool suspicious(const Script& script, GlobalShadow& shadow, bool concurrent = false);

/// Every block writes its partial result; the last one, by a counter, reads them all.
Script last_block_sums(bool writer_fences, bool counter_is_atomic, MemoryScope fence_scope = MemoryScope::device);

/// Block 0 writes data and raises a flag; block 1 waits for the flag and reads.
Script flag(bool flag_is_volatile, bool writer_fences, bool reader_fences,
            MemoryScope reader_scope = MemoryScope::device, bool cleared_plainly = false);

/// Threads of several blocks add to a plain counter under a lock.
Script locked(bool fences);

}  // namespace cudalabs::vgpu::testing
