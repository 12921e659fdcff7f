// Keeps memory accesses on their side of an operation that threads meet in.
//
// LLVM takes it for granted that an intrinsic writes no variable whose address is not taken, so it would move a load of
// a __shared__ scalar over a barrier. An empty piece of assembly that may touch all memory stops it, and costs nothing.
#pragma once

#define CUDALABS_COMPILER_BARRIER() asm volatile("" ::: "memory")

/// The body of a function that returns `...`, with no access moved over it.
#define CUDALABS_ORDERED(...)         \
  CUDALABS_COMPILER_BARRIER();        \
  const auto result_ = (__VA_ARGS__); \
  CUDALABS_COMPILER_BARRIER();        \
  return result_
#define CUDALABS_ORDERED_VOID(...) \
  CUDALABS_COMPILER_BARRIER();     \
  __VA_ARGS__;                     \
  CUDALABS_COMPILER_BARRIER()
