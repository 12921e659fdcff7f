// Writes of kernels to arrays that they may only read.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vgpu/check/launch_names.h"
#include "vgpu/exec/observer.h"
#include "vgpu/input_array.h"

namespace cudalabs::vgpu {

class InputChecker : public Observer {
 public:
  /// The arrays must outlive it.
  explicit InputChecker(std::span<const InputArray> inputs);
  ~InputChecker() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;
  std::vector<Finding> findings(const LaunchNames& names) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
