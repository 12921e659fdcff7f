// Shuffles that read lanes which do not execute them.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "vgpu/check/launch_names.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// One launch. Whether what such a shuffle gave matters, the caller must find out.
class ShuffleChecker : public Observer {
 public:
  ShuffleChecker();
  ~ShuffleChecker() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;

  /// The shuffles of the program, by instruction, that read such lanes.
  std::set<std::uint32_t> instructions() const;
  /// Of those in `instructions`.
  std::vector<Finding> findings(const LaunchNames& names, const std::set<std::uint32_t>& instructions) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
