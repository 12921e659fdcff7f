// The read-modify-write operations of `atom`, `red` and `mbarrier`.
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
  decrement,
  barrier_arrive,  // on the word of an mbarrier: barrier_word.h
  barrier_drop,
  barrier_arrive_expecting,  // one arrival, with so many bytes to come
  barrier_drop_expecting,
  barrier_expect,   // bytes that copies are to bring
  barrier_complete  // bytes that have come
};

}  // namespace cudalabs::vgpu::exec
