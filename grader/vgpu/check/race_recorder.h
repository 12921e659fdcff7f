// Exact race detection by happens-before, for launches the filter found suspicious. Slow; wants serial execution.
#pragma once

#include <memory>
#include <vector>

#include "vgpu/check/instruction_roles.h"
#include "vgpu/check/launch_names.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// One launch, executed by one thread (LaunchInfo::concurrent is false); several blocks may be resident, each with its
/// own block observer, and take turns in any order.
class RaceRecorder : public Observer {
 public:
  /// `roles` of the program's instructions must outlive the recorder.
  explicit RaceRecorder(const InstructionRoles& roles = no_roles());
  ~RaceRecorder() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;
  void launch_end() override;

  /// After launch_end. Empty: the filter's suspicion was unfounded.
  std::vector<Finding> findings(const LaunchNames& names) const;

 private:
  static const InstructionRoles& no_roles();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
