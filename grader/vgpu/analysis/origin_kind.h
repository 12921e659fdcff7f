// Which part an instruction has in a value that is stored.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

enum class OriginKind : std::uint8_t {
  half,          // rounded, or cut, to fewer digits than single precision has
  integer,       // made an integer of a floating-point number
  loop_end,      // what a loop's counter is compared with is computed here
  loop,          // the comparison with a variable that ends a loop in which the value is accumulated
  early_exit,    // a way out of such a loop that depends on data, beside one that does not
  halving,       // the comparison of such a loop whose counter is halved, or divided, in each step
  fill,          // a store to shared memory
  fill_read,     // a load of what such a store has put there
  partial_fill,  // the same, which is skipped in some rounds of the loop that loads from there
  own_array,     // an array of each thread, indexed by the number of the thread
  block_read     // a load of what a parameter points to, at a place that the number of the block says
};

}  // namespace cudalabs::vgpu
