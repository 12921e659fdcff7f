// Findings that belong together, whoever asks for them.
#pragma once

#include <array>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::finding_ids {

/// Everything that is wrong with a single access: outside its array, misaligned, through a pointer that is none,
/// a write to what may only be read.
inline constexpr std::array kMemoryErrors{kGlobalOutOfBounds,      kSharedOutOfBounds, kLocalOutOfBounds,
                                          kConstantOutOfBounds,    kWriteToConstant,   kNullPointerDereference,
                                          kHostPointerDereference, kMisalignedAccess,  kUseAfterFree,
                                          kInputOverwritten,       kInvalidFree};

/// Two who touch the same memory without order: threads, operations of two streams, or the host and a copy.
inline constexpr std::array kRaces{kSharedRace, kGlobalRace, kStreamRace, kEarlyRefill};

/// What lanes of a warp and threads of a block do together, and not all of them come to.
inline constexpr std::array kTogether{kBarrierDivergence, kShuffleFromInactiveLane};

/// Where a lab has no check of its own for barriers: it needs none, but one may still stand in the wrong place.
inline constexpr std::array kRacesAndBarriers{kSharedRace,  kGlobalRace,        kStreamRace,
                                              kEarlyRefill, kBarrierDivergence, kShuffleFromInactiveLane};

}  // namespace cudalabs::finding_ids
