// __cvta_*: addresses of one state space from generic ones, and back; for operands of inline PTX. __is*: which space a
// generic address is in.
#pragma once

// clang-format off
static __device__ CUDALABS_INLINE size_t __cvta_generic_to_global(const void* pointer) { return (size_t)(const void __attribute__((address_space(1)))*)pointer; }
static __device__ CUDALABS_INLINE size_t __cvta_generic_to_shared(const void* pointer) { return (size_t)(const void __attribute__((address_space(3)))*)pointer; }
static __device__ CUDALABS_INLINE size_t __cvta_generic_to_constant(const void* pointer) { return (size_t)(const void __attribute__((address_space(4)))*)pointer; }
static __device__ CUDALABS_INLINE size_t __cvta_generic_to_local(const void* pointer) { return (size_t)(const void __attribute__((address_space(5)))*)pointer; }
static __device__ CUDALABS_INLINE void* __cvta_global_to_generic(size_t address) { return (void*)(void __attribute__((address_space(1)))*)address; }
static __device__ CUDALABS_INLINE void* __cvta_shared_to_generic(size_t address) { return (void*)(void __attribute__((address_space(3)))*)address; }
static __device__ CUDALABS_INLINE void* __cvta_constant_to_generic(size_t address) { return (void*)(void __attribute__((address_space(4)))*)address; }
static __device__ CUDALABS_INLINE void* __cvta_local_to_generic(size_t address) { return (void*)(void __attribute__((address_space(5)))*)address; }
#define CUDALABS_IS_IN(name, space) static __device__ CUDALABS_INLINE unsigned int name(const void* pointer) { unsigned int in; asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(in) : "l"(pointer)); return in; }
CUDALABS_IS_IN(__isGlobal, "global")
CUDALABS_IS_IN(__isShared, "shared")
CUDALABS_IS_IN(__isConstant, "const")
CUDALABS_IS_IN(__isLocal, "local")
#undef CUDALABS_IS_IN
// clang-format on
