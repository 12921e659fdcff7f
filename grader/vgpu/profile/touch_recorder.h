// Writes down which bytes of global memory a launch reads and writes.
#pragma once

#include <memory>

#include "vgpu/exec/observer.h"
#include "vgpu/touched_bytes.h"

namespace cudalabs::vgpu {

class TouchRecorder : public Observer {
 public:
  TouchRecorder();
  ~TouchRecorder() override;

  std::unique_ptr<BlockObserver> observe_block() override;

  /// Of all blocks; after the launch.
  TouchedBytes touched();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
