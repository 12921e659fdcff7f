// Reads of shared or global memory that nobody wrote.
#pragma once

#include <memory>
#include <vector>

#include "vgpu/check/launch_names.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

class GlobalMemory;

/// One launch. Keeps track of shared memory itself; asks `memory` about global memory, where those who write set the
/// bits.
class InitializedChecker : public Observer {
 public:
  explicit InitializedChecker(const GlobalMemory& memory);
  ~InitializedChecker() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;
  std::vector<Finding> findings(const LaunchNames& names) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
