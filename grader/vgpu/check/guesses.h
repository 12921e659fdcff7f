// Plain reads of what others update atomically, right only where they are the first guess of a loop with atomicCAS.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

/// Whether such a read was a guess shows later, when its thread compares the value with memory by atomicCAS. Until then
/// the race is kept here.
class Guesses {
 public:
  /// `lanes` have read at `address`; `race` is what it comes to if one of them does not compare. `memory`: a number of
  /// the memory that the address is in, of its own for each block's shared memory.
  void add(std::uint64_t block, std::uint32_t warp, LaneMask lanes, std::uint64_t memory, const Sighting& race) {
    Guess& guess = guesses_[{block, memory, race.address, warp}];
    guess.lanes |= lanes;
    guess.race = race;
  }
  void compared(std::uint64_t block, std::uint32_t warp, LaneMask lanes, std::uint64_t memory, std::uint64_t address) {
    const auto found = guesses_.find({block, memory, address, warp});
    if (found == guesses_.end()) return;
    found->second.lanes &= ~lanes;
    if (found->second.lanes == 0) guesses_.erase(found);
  }
  /// What is left of a block that has ended was no guess.
  void end_block(std::uint64_t block, LaunchLog& log) {
    const auto first = guesses_.lower_bound({block, 0, 0, 0});
    auto end = first;
    for (; end != guesses_.end() && std::get<0>(end->first) == block; ++end) log.add(end->second.race);
    guesses_.erase(first, end);
  }
  void end_launch(LaunchLog& log) {
    for (const auto& [key, guess] : guesses_) log.add(guess.race);
    guesses_.clear();
  }

 private:
  struct Guess {
    LaneMask lanes = 0;
    Sighting race;
  };
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>, Guess> guesses_;
};

}  // namespace cudalabs::vgpu
