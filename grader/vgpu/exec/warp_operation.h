// The variants of what lanes and threads do together.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu::exec {

enum class ShuffleMode : std::uint8_t { up, down, butterfly, index };
enum class VoteMode : std::uint8_t { all, any, uniform, ballot };
enum class ReduceOperation : std::uint8_t { add, min, max, bit_and, bit_or, bit_xor };
enum class BarrierReduction : std::uint8_t { count, all, any };

}  // namespace cudalabs::vgpu::exec
