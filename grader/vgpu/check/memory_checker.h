// Accesses memory refused: out of bounds, misaligned, through host, null or freed pointers.
#pragma once

#include <memory>
#include <vector>

#include "vgpu/check/launch_names.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

class MemoryChecker : public Observer {
 public:
  MemoryChecker();
  ~MemoryChecker() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;
  std::vector<Finding> findings(const LaunchNames& names) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
