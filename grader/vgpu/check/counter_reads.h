// Reads of counters that the block has counted in before, right only where they decide whether to count once more.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

/// A look at a counter that says whether to count at all (is there room left?) need not be exact, since the atomic that
/// follows is. Which looks are of this kind shows in what their threads do next, and not every thread does it. So the
/// races of an instruction are kept until the launch ends.
class CounterReads {
 public:
  /// `race` of a read by `instruction`.
  void add(std::uint32_t instruction, const Sighting& race) { races_[instruction].add(race); }
  /// A thread that read the counter by `instruction` counts in it next.
  void counts_after(std::uint32_t instruction) { asks_for_room_.insert(instruction); }
  void end_launch(LaunchLog& log) {
    for (const auto& [instruction, races] : races_) {
      if (!asks_for_room_.contains(instruction)) log.merge(races);
    }
    races_.clear();
    asks_for_room_.clear();
  }

 private:
  std::map<std::uint32_t, FindingLog> races_;
  std::set<std::uint32_t> asks_for_room_;
};

}  // namespace cudalabs::vgpu
