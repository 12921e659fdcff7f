// Counts how often a launch reads each element of some arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vgpu/exec/observer.h"
#include "vgpu/input_array.h"

namespace cudalabs::vgpu {

/// Of one element.
struct RecordedReads {
  struct Reader {
    std::uint64_t block = 0;  // linear
    std::uint32_t thread = 0, instruction = 0;

    auto operator<=>(const Reader&) const = default;
  };
  std::uint32_t count = 0;
  Reader first, last;  // by block and thread, where count > 0
};

class ReadRecorder : public Observer {
 public:
  /// Arrays with which it would be more than `most` elements are left out.
  ReadRecorder(std::span<const InputArray> arrays, std::uint64_t most);
  ~ReadRecorder() override;
  std::unique_ptr<BlockObserver> observe_block() override;

  /// Of the elements of that array, after the launch; nothing where it was left out.
  std::span<const RecordedReads> of_array(std::size_t number) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
