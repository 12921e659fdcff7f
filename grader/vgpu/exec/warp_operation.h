// The variants of what lanes and threads do together.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu::exec {

enum class ShuffleMode : std::uint8_t { up, down, butterfly, index };
enum class VoteMode : std::uint8_t { all, any, uniform, ballot };
enum class ReduceOperation : std::uint8_t { add, min, max, bit_and, bit_or, bit_xor };
enum class BarrierReduction : std::uint8_t { count, all, any };

/// What lanes of a warp wait for each other at. Meetings of one kind are one wherever they stand in the code: lanes
/// wait until those that the mask names have executed such an instruction with the same mask (PTX ISA, "shfl.sync" and
/// "bar.warp.sync"). At a meeting of no kind, a vote for instance, all lanes must execute the same instruction, for
/// each of them is part of the result.
enum class MeetingKind : std::uint8_t {
  none,
  barrier,
  shuffle_up,
  shuffle_down,
  shuffle_butterfly,
  shuffle_index,
};

constexpr MeetingKind meeting_kind(ShuffleMode mode) {
  switch (mode) {
    case ShuffleMode::up:
      return MeetingKind::shuffle_up;
    case ShuffleMode::down:
      return MeetingKind::shuffle_down;
    case ShuffleMode::butterfly:
      return MeetingKind::shuffle_butterfly;
    case ShuffleMode::index:
      return MeetingKind::shuffle_index;
  }
  return MeetingKind::none;
}

}  // namespace cudalabs::vgpu::exec
