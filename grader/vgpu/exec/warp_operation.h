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
/// "bar.warp.sync"), and each lane's operands are part of the result. At a meeting of no kind all lanes must execute
/// the same instruction.
struct MeetingKind {
  enum class Family : std::uint8_t { none, barrier, shuffle, vote, match_any, match_all, redux };
  Family family = Family::none;
  std::uint8_t variant = 0;      // the mode or the operation
  std::uint8_t value_bytes = 0;  // of what each lane gives; 0: a predicate
  bool is_signed = false;        // redux

  constexpr bool operator==(const MeetingKind&) const = default;
  constexpr bool anywhere() const { return family != Family::none; }
};

}  // namespace cudalabs::vgpu::exec
