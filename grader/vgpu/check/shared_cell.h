// One shadow cell of shared memory for the race filter: how its two halves are laid out.
#pragma once

#include <cstdint>

#include "vgpu/check/block_phases.h"

namespace cudalabs::vgpu::shared_cell {

/// stamp | kind | thread. The write half is 0 when nobody wrote the cell yet, the read half when nobody read it since.
using Half = std::uint32_t;

enum WriteKind : Half { kPlain = 0, kAtomics = 1 };
/// kOneAfterOthers: one thread since the last synchronisation, but others before that.
enum ReadKind : Half { kOne = 0, kOneAfterOthers = 1, kOneWarp = 2, kSeveralWarps = 3 };

constexpr unsigned kThreadBits = 10;
constexpr unsigned kKindBits = 2;
constexpr unsigned kStampShift = kThreadBits + kKindBits;
constexpr Half kThreadMask = (1u << kThreadBits) - 1;
static_assert(kStampShift + kStampBits <= 32);

constexpr Half half(Stamp stamp, Half kind, std::uint32_t thread) {
  return stamp << kStampShift | kind << kThreadBits | thread;
}
constexpr Stamp stamp_of(Half h) {
  return h >> kStampShift;
}
constexpr Half kind_of(Half h) {
  return h >> kThreadBits & ((1u << kKindBits) - 1);
}
constexpr std::uint32_t thread_of(Half h) {
  return h & kThreadMask;
}

}  // namespace cudalabs::vgpu::shared_cell
