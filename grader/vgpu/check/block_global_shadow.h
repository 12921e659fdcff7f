// What one block does to the shadow cells of global memory.
#pragma once

#include <cstdint>

#include "vgpu/check/barrier_needs.h"
#include "vgpu/check/block_phases.h"
#include "vgpu/check/global_shadow.h"
#include "vgpu/check/shadow_kernels.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

class BlockGlobalShadow {
 public:
  /// `concurrent`: other blocks use the shadow at the same time.
  BlockGlobalShadow(GlobalShadow& shadow, BlockPhases& phases, BlockBarriers& barriers, const ShadowKernels& kernels,
                    bool concurrent)
      : shadow_(shadow), phases_(phases), barriers_(barriers), kernels_(kernels), concurrent_(concurrent) {}

  void begin_block(std::uint64_t block) {
    block_ = block;
    bytes_ = nullptr;
  }
  /// False: the access may race with an earlier one.
  bool access(const WarpAccess& access);
  /// The same of all loads of a run.
  bool load_run(const LoadRun& run);

 private:
  bool half_warp(const WarpAccess& access, std::uint32_t first_lane, HalfShape shape);
  bool run(const WarpAccess& access, std::uint32_t first_lane, std::uint32_t lanes);
  bool scattered(const WarpAccess& access, LaneMask lanes);
  bool cells(GlobalCell* cell, std::uint32_t count, const WarpAccess& access, const ThreadView& view,
             std::uint32_t& saturated);
  void note_separation(const CellStep& step, const ThreadView& view);
  /// The byte cells of a held line. They stay where they are until the launch is over, and to look them up takes a lock
  /// that all blocks share.
  GlobalShadow::ByteCells& bytes(GlobalShadow::Line& line, std::uint64_t number) {
    if (bytes_ == nullptr || number != bytes_number_) {
      bytes_ = &shadow_.bytes(line, number);
      bytes_number_ = number;
    }
    return *bytes_;
  }
  ThreadView view_of(const WarpAccess& access, std::uint32_t lane) const {
    return {access.warp * kWarpSize + lane, phases_.stamp(access.warp), phases_.phase()};
  }

  GlobalShadow& shadow_;
  BlockPhases& phases_;
  BlockBarriers& barriers_;
  const ShadowKernels& kernels_;
  bool concurrent_;
  std::uint64_t block_ = 0;
  GlobalShadow::ByteCells* bytes_ = nullptr;  // of the line that was asked for last
  std::uint64_t bytes_number_ = 0;
};

}  // namespace cudalabs::vgpu
