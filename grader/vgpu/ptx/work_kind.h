// What an instruction keeps busy on a GPU, and what its result makes others wait for.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

/// What kind of work an instruction is: the unit it would keep busy on a GPU.
enum class OpcodeClass : std::uint8_t {
  integer,  // add, mul, mad, shifts, logic, min, max, bit fields
  float16,
  float32,
  float64,
  special_function,    // rcp, rsqrt, sqrt, div, sin, cos, ex2, lg2, tanh
  comparison,          // setp, set, selp, slct, logic on predicates
  conversion,          // cvt, cvta
  float64_conversion,  // cvt from and to double
  move,                // mov, ld.param, st.param
  load,
  store,
  atomic,     // atom, red
  barrier,    // bar, barrier
  warp_sync,  // shfl, vote, match, redux, elect, bar.warp.sync
  fence,
  branch,  // bra, brx
  call,
  exit,  // ret, exit, trap
  other
};

/// What a result makes those wait that need it.
enum class WaitKind : std::uint8_t {
  none,   // no instruction of a GPU: moves between registers, parameters
  issue,  // nobody waits for a result: stores, branches
  arithmetic,
  special,    // special functions, divisions
  shared,     // loads and atomics of shared memory, exchanges within a warp
  global,     // loads and atomics of global memory
  copy,       // from global to shared memory in the background
  copy_wait,  // waits for all such copies before it
  barrier
};

}  // namespace cudalabs::vgpu
