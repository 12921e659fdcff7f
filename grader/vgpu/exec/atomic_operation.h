// The read-modify-write operations of `atom` and `red`.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu::exec {

enum class AtomicOperation : std::uint8_t {
  add,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_and_swap,
  increment,
  decrement
};

}  // namespace cudalabs::vgpu::exec
