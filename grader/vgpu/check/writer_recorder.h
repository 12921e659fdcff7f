// Which instructions of a launch write to which arrays: where to look when an output is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "vgpu/exec/observer.h"
#include "vgpu/touched_bytes.h"

namespace cudalabs::vgpu {

/// What an instruction wrote to an array in a launch.
struct Written {
  std::uint64_t threads = 0, stores = 0;  // threads: each once
  ByteRange bytes;                        // from the first to the last

  bool operator==(const Written&) const = default;
};

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
  /// The same, and how much.
  std::map<std::pair<std::size_t, std::uint32_t>, Written> extents() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
