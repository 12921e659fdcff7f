// Order inside a block as the race filter sees it: barriers of the whole block and synchronisations of whole warps.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// A moment in the life of a block, counted in synchronisations. Fits the fields of shadow cells.
using Stamp = std::uint32_t;
constexpr unsigned kStampBits = 20;
constexpr Stamp kLastStamp = (1u << kStampBits) - 1;

/// What a thread needs to know to judge earlier accesses of its block: one that carries a stamp below `phase` is
/// ordered before the thread's next access, and so is one of the thread's own warp with a stamp below `stamp`.
struct ThreadView {
  std::uint32_t thread = 0;  // linear in the block
  Stamp stamp = 0;           // since the warp last synchronised as a whole, also with the block
  Stamp phase = 0;           // since the last barrier of the whole block
};

/// Stamps of one block at a time. They go on rising from block to block, so that cells of earlier blocks count as old.
class BlockPhases {
 public:
  /// False: the stamps were used up and start anew; cells that carry old ones must be cleared.
  bool begin(std::uint32_t warps) {
    const bool goes_on = latest_ < kLastStamp / 2;
    if (!goes_on) latest_ = 0;
    stamps_.assign(warps, 0);
    synced_.assign(warps, 0);
    next_phase();
    return goes_on;
  }
  void next_phase() {
    phase_ = ++latest_;
    std::fill(stamps_.begin(), stamps_.end(), phase_);
  }
  void sync_warp(std::uint32_t warp) {
    synced_[warp] = ++stamps_[warp];
    latest_ = std::max(latest_, stamps_[warp]);
  }
  bool exhausted() const { return latest_ >= kLastStamp; }

  Stamp phase() const { return phase_; }
  Stamp stamp(std::uint32_t warp) const { return stamps_[warp]; }
  /// The warp has synchronised by itself since `stamp`.
  bool synced_since(std::uint32_t warp, Stamp stamp) const { return synced_[warp] > stamp; }

 private:
  Stamp latest_ = 0;
  Stamp phase_ = 0;
  std::vector<Stamp> stamps_;  // by warp
  std::vector<Stamp> synced_;  // by warp: the stamp its last synchronisation began, barriers of the block aside
};

}  // namespace cudalabs::vgpu
