// Serves once more what a client has said, with one thing changed each time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "vgpu/cudart/mutants.h"
#include "vgpu/cudart/server/session.h"
#include "vgpu/cudart/transfers.h"
#include "vgpu/profile/line_counts.h"

namespace cudalabs::vgpu {

/// A session that has ended, as far as mutants need it.
struct EndedSession {
  VirtualGpuOptions gpu;  // as it was
  SessionLimits limits;
  std::span<const std::byte> said;
  std::span<const std::string> device_code;  // of its first module
  std::span<const AskedLaunch> launches;     // the first ones
  LineCoverage coverage;                     // where code was executed
  std::span<const Transfer> transfers;       // what it copied
  std::uint64_t warp_instructions = 0;       // that its kernels executed
  bool held_copies = false;                  // some of them waited for the program on the device
};

/// Makes the mutants, each on a virtual GPU of its own that counts nothing, and checks what it was ordered to. A kernel
/// that takes far longer than it did is cut off. Where all of them take so much that nobody would wait, fewer are made.
MutantLog run_mutants(const EndedSession& ended, const MutantOrder& order);

}  // namespace cudalabs::vgpu
