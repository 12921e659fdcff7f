// Which memory instructions a warp has executed since the last barrier of its block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cudalabs::vgpu {

/// The memory instructions a warp has executed since the last barrier of its block, in the order of their first time.
class PhaseAccesses {
 public:
  void clear() { instructions_.clear(); }
  void add(std::uint32_t instruction) {
    if (!made(instruction)) instructions_.push_back(instruction);
  }
  bool made(std::uint32_t instruction) const {
    return std::find(instructions_.begin(), instructions_.end(), instruction) != instructions_.end();
  }
  /// Both were made, `first` before `second`.
  bool in_order(std::uint32_t first, std::uint32_t second) const {
    const auto at = std::find(instructions_.begin(), instructions_.end(), first);
    return std::find(at, instructions_.end(), second) != instructions_.end();
  }

 private:
  std::vector<std::uint32_t> instructions_;
};

}  // namespace cudalabs::vgpu
