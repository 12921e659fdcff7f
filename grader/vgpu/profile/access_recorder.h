// Keeps one example of every memory instruction of a launch: which lanes of a warp accessed which addresses.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

struct RecordedAccess {
  std::uint32_t instruction = 0;
  std::uint64_t block = 0;  // linear
  std::uint32_t warp = 0;
  std::uint32_t block_threads = 0;
  AccessKind kind = AccessKind::load;
  MemorySpace space = MemorySpace::global;
  std::uint8_t bytes = 4;
  LaneMask active = 0;
  std::array<std::uint64_t, kWarpSize> address{};  // of the active lanes; 0 for the others
};

/// One launch. Of each instruction that accesses global or shared memory it keeps an execution by the first warp, of
/// the first block, that executes it; of those by that warp the first with the most active lanes. So what it keeps does
/// not depend on the schedule, and most of it belongs to one warp.
class AccessRecorder : public Observer {
 public:
  AccessRecorder();
  ~AccessRecorder() override;
  std::unique_ptr<BlockObserver> observe_block() override;

  /// After the launch; in the order of instructions.
  std::vector<RecordedAccess> recorded() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
