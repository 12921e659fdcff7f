// Which instructions of a launch write to which of the caller's arrays: where to look when an output is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "vgpu/exec/observer.h"
#include "vgpu/input_array.h"

namespace cudalabs::vgpu {

class WriterRecorder : public Observer {
 public:
  /// The arrays must outlive it.
  explicit WriterRecorder(std::span<const InputArray> outputs);
  ~WriterRecorder() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;

  /// (index of an output, instruction), for writes to global memory outside all outputs the number of outputs. The
  /// first lane of a warp speaks for the others.
  std::set<std::pair<std::size_t, std::uint32_t>> written() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
