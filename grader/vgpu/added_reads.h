// What one launch reads of an input, added to what those before it have read.
#pragma once

#include <cstdint>
#include <span>

#include "vgpu/array_reads.h"
#include "vgpu/check/program_names.h"
#include "vgpu/profile/read_recorder.h"

namespace cudalabs::vgpu {

struct ReadingLaunch {
  std::uint64_t number = 0;
  const LaunchConfig& config;
  const LaunchNames& names;
};

/// Launches come in their order. An array that has another size than before is counted from now on.
void add_reads(ArrayReads& array, std::span<const RecordedReads> recorded, const ReadingLaunch& launch);

}  // namespace cudalabs::vgpu
