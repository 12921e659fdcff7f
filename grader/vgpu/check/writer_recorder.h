// Which instructions of a launch write to which arrays: where to look when an output is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "vgpu/exec/observer.h"
#include "vgpu/touched_bytes.h"

namespace cudalabs::vgpu {

class WriterRecorder : public Observer {
 public:
  /// The arrays may lie in any order, but not overlap.
  explicit WriterRecorder(std::span<const ByteRange> arrays);
  ~WriterRecorder() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;

  /// (index of an array, instruction), for writes to global memory outside all arrays their number. The first lane of a
  /// warp speaks for the others.
  std::set<std::pair<std::size_t, std::uint32_t>> written() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
