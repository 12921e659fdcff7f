// A launch that is executed again with other values where it read what has none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vgpu/exec/launcher.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {

/// Far from 0 on either side, as integers, as floats and as halves of doubles: a sum, a maximum or a minimum shows one
/// of them. Neither is NaN, which fmaxf and fminf would hide.
inline constexpr std::uint32_t kOtherValues[] = {0x7F7F'7F7F, 0xFF7F'7F7F};

/// Of a launch that has just been executed in `memory` and can be undone. No observer watches, and blocks run one after
/// the other, so that sums of floats that several of them add up come out the same each time.
class RepeatedLaunch {
 public:
  /// `request` as it was executed. All must outlive it.
  RepeatedLaunch(const exec::LaunchRequest& request, GlobalMemory& memory, exec::WorkerPool& pool);

  /// What is to be other than it was: in the request, or in memory, of which nothing counts as written by it.
  using Change = std::function<void(exec::LaunchRequest&, GlobalMemory&)>;
  /// What all others are measured by. False: it does not come to its end, and nothing can be told.
  bool begin(const Change& change);
  /// Whether it ends, prints or writes otherwise. A change that keeps it from its end makes a difference.
  bool differs(const Change& change);
  /// Executes it as it was, so that memory holds what it held before all this. Whether that differs.
  bool restore();

 private:
  struct Outcome {
    exec::LaunchError error = exec::LaunchError::none;
    std::string output;
    std::vector<PageJournal::ChangedPage> written;  // what nobody has written is left out

    bool operator==(const Outcome&) const = default;
  };
  Outcome run(const Change& change);

  const exec::LaunchRequest& request_;
  GlobalMemory& memory_;
  exec::WorkerPool& pool_;
  Outcome first_;
};

/// How far it came depends on the time, or takes as long each time.
inline bool came_to_a_limit(const exec::LaunchResult& result) {
  return result.error == exec::LaunchError::timed_out || result.error == exec::LaunchError::too_many_instructions;
}

}  // namespace cudalabs::vgpu
