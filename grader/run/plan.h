// A plan of measured calls, and the memory files it travels in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sandbox/fd.h"

namespace cudalabs {

/// Calls to be made one after another. Every call has as many windows, patches and samples as every other.
struct Plan {
  struct Patch {
    std::uint32_t pool = 0;
    std::uint64_t offset = 0;      // bytes
    std::vector<std::byte> bytes;  // at most kPatchBytes
  };
  struct Sample {
    std::uint32_t output = 0;
    std::uint64_t offset = 0;  // bytes
    std::uint32_t bytes = 0;   // at most kSampleBytes
  };
  struct Call {
    std::vector<std::uint64_t> windows;  // bytes into each pool
    std::vector<Patch> patches;          // applied before it
    std::vector<Sample> samples;         // taken after it
  };
  static constexpr std::uint32_t kPatchBytes = 1024, kSampleBytes = 1024;

  std::vector<Call> calls;
  std::uint32_t launch_repeats = 1;
};

/// As run/harness/runner_protocol.h has it. Throws std::logic_error when the calls are not alike, there are too many,
/// or a patch or a sample is too long.
sandbox::Fd plan_file(const Plan& plan);
/// Room for all samples, full of poison.
sandbox::Fd samples_file(const Plan& plan);
/// What is in it now: kSampleBytes a sample.
std::vector<std::byte> copy_samples(const Plan& plan, const sandbox::Fd& file);

}  // namespace cudalabs
