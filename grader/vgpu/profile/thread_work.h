// Which threads of a launch did something in global memory: what a change of the program takes from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// Of one launch. Local and shared memory do not count: a thread that only moves zeros around in them does no work.
struct ThreadWork {
  static constexpr std::uint64_t kMostThreads = 1 << 22;  // in all launches; of those with more nothing is kept
  static constexpr std::uint8_t kLoads = 1, kStores = 2;  // an atomic is both

  LaunchConfig config;
  std::vector<std::uint8_t> did;  // by linear block and thread; empty: not recorded
};

/// Threads, and whole blocks, that did load or store in some launch, and do not any more. Threads do not count behind
/// which, in all dimensions of the block, none does any more: there a guard has another end.
struct LostWork {
  std::uint64_t blocks = 0, threads = 0;

  bool operator==(const LostWork&) const = default;
};

/// Of the launches of two runs, in their order. Launches of another shape are not compared.
LostWork lost_work(std::span<const ThreadWork> before, std::span<const ThreadWork> after);

class WorkRecorder : public Observer {
 public:
  WorkRecorder();
  ~WorkRecorder() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;

  /// After the launch.
  const ThreadWork& work() const;

 private:
  std::unique_ptr<ThreadWork> work_;
};

}  // namespace cudalabs::vgpu
