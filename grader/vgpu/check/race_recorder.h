// Exact race detection by happens-before, for launches the filter found suspicious. Slow; wants serial execution.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vgpu/check/finding_log.h"
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

  /// After launch_end: accesses of single lanes, a measure of what recording has cost; the same on every machine.
  std::uint64_t recorded() const;
  /// After launch_end: blocks made atomic, volatile or otherwise strong accesses to global memory, so that one may be
  /// ordered after another. Where none did, all pairs of blocks were judged alike, in whatever order they ran.
  bool blocks_may_be_ordered() const;
  /// After launch_end.
  const FindingLog& races() const;
  /// After launch_end: those of another run of the same launch, in which blocks met in another order.
  void add_races_of(const FindingLog& other_run);
  /// After launch_end. Empty: the filter's suspicion was unfounded.
  std::vector<Finding> findings(const LaunchNames& names) const;

 private:
  static const InstructionRoles& no_roles();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
