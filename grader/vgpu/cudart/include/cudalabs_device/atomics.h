// Atomic functions of CUDA C++, for the device, the block (_block) and the system (_system), over clang's builtins.
#pragma once

#include <__clang_cuda_device_functions.h>

#include "ordered.h"

// clang-format off
static __device__ CUDALABS_INLINE int atomicAdd(int* address, int value) { CUDALABS_ORDERED(__iAtomicAdd(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicAdd(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAdd(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicAdd(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicAdd(address, value)); }
static __device__ CUDALABS_INLINE float atomicAdd(float* address, float value) { CUDALABS_ORDERED(__fAtomicAdd(address, value)); }
static __device__ CUDALABS_INLINE double atomicAdd(double* address, double value) { CUDALABS_ORDERED(__dAtomicAdd(address, value)); }
static __device__ CUDALABS_INLINE int atomicSub(int* address, int value) { CUDALABS_ORDERED(__iAtomicAdd(address, (int)-(unsigned int)value)); }
static __device__ CUDALABS_INLINE unsigned int atomicSub(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAdd(address, -value)); }
static __device__ CUDALABS_INLINE int atomicExch(int* address, int value) { CUDALABS_ORDERED(__iAtomicExch(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicExch(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicExch(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicExch(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicExch(address, value)); }
static __device__ CUDALABS_INLINE float atomicExch(float* address, float value) { CUDALABS_ORDERED(__fAtomicExch(address, value)); }
static __device__ CUDALABS_INLINE int atomicMin(int* address, int value) { CUDALABS_ORDERED(__iAtomicMin(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicMin(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicMin(address, value)); }
static __device__ CUDALABS_INLINE long long int atomicMin(long long int* address, long long int value) { CUDALABS_ORDERED(__illAtomicMin(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicMin(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicMin(address, value)); }
static __device__ CUDALABS_INLINE int atomicMax(int* address, int value) { CUDALABS_ORDERED(__iAtomicMax(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicMax(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicMax(address, value)); }
static __device__ CUDALABS_INLINE long long int atomicMax(long long int* address, long long int value) { CUDALABS_ORDERED(__illAtomicMax(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicMax(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicMax(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicInc(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicInc(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicDec(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicDec(address, value)); }
static __device__ CUDALABS_INLINE int atomicAnd(int* address, int value) { CUDALABS_ORDERED(__iAtomicAnd(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicAnd(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAnd(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicAnd(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicAnd(address, value)); }
static __device__ CUDALABS_INLINE int atomicOr(int* address, int value) { CUDALABS_ORDERED(__iAtomicOr(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicOr(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicOr(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicOr(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicOr(address, value)); }
static __device__ CUDALABS_INLINE int atomicXor(int* address, int value) { CUDALABS_ORDERED(__iAtomicXor(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicXor(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicXor(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicXor(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicXor(address, value)); }
static __device__ CUDALABS_INLINE int atomicCAS(int* address, int compare, int value) { CUDALABS_ORDERED(__iAtomicCAS(address, compare, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicCAS(unsigned int* address, unsigned int compare, unsigned int value) { CUDALABS_ORDERED((unsigned int)__iAtomicCAS((int*)address, (int)compare, (int)value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicCAS(unsigned long long int* address, unsigned long long int compare, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicCAS(address, compare, value)); }
static __device__ CUDALABS_INLINE int atomicAdd_block(int* address, int value) { CUDALABS_ORDERED(__iAtomicAdd_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicAdd_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAdd_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicAdd_block(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicAdd_block(address, value)); }
static __device__ CUDALABS_INLINE float atomicAdd_block(float* address, float value) { CUDALABS_ORDERED(__fAtomicAdd_block(address, value)); }
static __device__ CUDALABS_INLINE double atomicAdd_block(double* address, double value) { CUDALABS_ORDERED(__dAtomicAdd_block(address, value)); }
static __device__ CUDALABS_INLINE int atomicSub_block(int* address, int value) { CUDALABS_ORDERED(__iAtomicAdd_block(address, (int)-(unsigned int)value)); }
static __device__ CUDALABS_INLINE unsigned int atomicSub_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAdd_block(address, -value)); }
static __device__ CUDALABS_INLINE int atomicExch_block(int* address, int value) { CUDALABS_ORDERED(__iAtomicExch_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicExch_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicExch_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicExch_block(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicExch_block(address, value)); }
static __device__ CUDALABS_INLINE float atomicExch_block(float* address, float value) { CUDALABS_ORDERED(__fAtomicExch_block(address, value)); }
static __device__ CUDALABS_INLINE int atomicMin_block(int* address, int value) { CUDALABS_ORDERED(__iAtomicMin_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicMin_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicMin_block(address, value)); }
static __device__ CUDALABS_INLINE long long int atomicMin_block(long long int* address, long long int value) { CUDALABS_ORDERED(__illAtomicMin_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicMin_block(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicMin_block(address, value)); }
static __device__ CUDALABS_INLINE int atomicMax_block(int* address, int value) { CUDALABS_ORDERED(__iAtomicMax_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicMax_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicMax_block(address, value)); }
static __device__ CUDALABS_INLINE long long int atomicMax_block(long long int* address, long long int value) { CUDALABS_ORDERED(__illAtomicMax_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicMax_block(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicMax_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicInc_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicInc_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicDec_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicDec_block(address, value)); }
static __device__ CUDALABS_INLINE int atomicAnd_block(int* address, int value) { CUDALABS_ORDERED(__iAtomicAnd_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicAnd_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAnd_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicAnd_block(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicAnd_block(address, value)); }
static __device__ CUDALABS_INLINE int atomicOr_block(int* address, int value) { CUDALABS_ORDERED(__iAtomicOr_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicOr_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicOr_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicOr_block(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicOr_block(address, value)); }
static __device__ CUDALABS_INLINE int atomicXor_block(int* address, int value) { CUDALABS_ORDERED(__iAtomicXor_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicXor_block(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicXor_block(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicXor_block(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicXor_block(address, value)); }
static __device__ CUDALABS_INLINE int atomicCAS_block(int* address, int compare, int value) { CUDALABS_ORDERED(__iAtomicCAS_block(address, compare, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicCAS_block(unsigned int* address, unsigned int compare, unsigned int value) { CUDALABS_ORDERED((unsigned int)__iAtomicCAS_block((int*)address, (int)compare, (int)value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicCAS_block(unsigned long long int* address, unsigned long long int compare, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicCAS_block(address, compare, value)); }
static __device__ CUDALABS_INLINE int atomicAdd_system(int* address, int value) { CUDALABS_ORDERED(__iAtomicAdd_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicAdd_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAdd_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicAdd_system(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicAdd_system(address, value)); }
static __device__ CUDALABS_INLINE float atomicAdd_system(float* address, float value) { CUDALABS_ORDERED(__fAtomicAdd_system(address, value)); }
static __device__ CUDALABS_INLINE double atomicAdd_system(double* address, double value) { CUDALABS_ORDERED(__dAtomicAdd_system(address, value)); }
static __device__ CUDALABS_INLINE int atomicSub_system(int* address, int value) { CUDALABS_ORDERED(__iAtomicAdd_system(address, (int)-(unsigned int)value)); }
static __device__ CUDALABS_INLINE unsigned int atomicSub_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAdd_system(address, -value)); }
static __device__ CUDALABS_INLINE int atomicExch_system(int* address, int value) { CUDALABS_ORDERED(__iAtomicExch_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicExch_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicExch_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicExch_system(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicExch_system(address, value)); }
static __device__ CUDALABS_INLINE float atomicExch_system(float* address, float value) { CUDALABS_ORDERED(__fAtomicExch_system(address, value)); }
static __device__ CUDALABS_INLINE int atomicMin_system(int* address, int value) { CUDALABS_ORDERED(__iAtomicMin_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicMin_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicMin_system(address, value)); }
static __device__ CUDALABS_INLINE long long int atomicMin_system(long long int* address, long long int value) { CUDALABS_ORDERED(__illAtomicMin_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicMin_system(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicMin_system(address, value)); }
static __device__ CUDALABS_INLINE int atomicMax_system(int* address, int value) { CUDALABS_ORDERED(__iAtomicMax_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicMax_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicMax_system(address, value)); }
static __device__ CUDALABS_INLINE long long int atomicMax_system(long long int* address, long long int value) { CUDALABS_ORDERED(__illAtomicMax_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicMax_system(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicMax_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicInc_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicInc_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicDec_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicDec_system(address, value)); }
static __device__ CUDALABS_INLINE int atomicAnd_system(int* address, int value) { CUDALABS_ORDERED(__iAtomicAnd_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicAnd_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicAnd_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicAnd_system(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicAnd_system(address, value)); }
static __device__ CUDALABS_INLINE int atomicOr_system(int* address, int value) { CUDALABS_ORDERED(__iAtomicOr_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicOr_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicOr_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicOr_system(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicOr_system(address, value)); }
static __device__ CUDALABS_INLINE int atomicXor_system(int* address, int value) { CUDALABS_ORDERED(__iAtomicXor_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicXor_system(unsigned int* address, unsigned int value) { CUDALABS_ORDERED(__uAtomicXor_system(address, value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicXor_system(unsigned long long int* address, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicXor_system(address, value)); }
static __device__ CUDALABS_INLINE int atomicCAS_system(int* address, int compare, int value) { CUDALABS_ORDERED(__iAtomicCAS_system(address, compare, value)); }
static __device__ CUDALABS_INLINE unsigned int atomicCAS_system(unsigned int* address, unsigned int compare, unsigned int value) { CUDALABS_ORDERED((unsigned int)__iAtomicCAS_system((int*)address, (int)compare, (int)value)); }
static __device__ CUDALABS_INLINE unsigned long long int atomicCAS_system(unsigned long long int* address, unsigned long long int compare, unsigned long long int value) { CUDALABS_ORDERED(__ullAtomicCAS_system(address, compare, value)); }
// 16 bits; LLVM would make a loop around a 32-bit operation of it.
#define CUDALABS_CAS_16(name, scope) static __device__ CUDALABS_INLINE unsigned short int name(unsigned short int* address, unsigned short int compare, unsigned short int value) { unsigned short int old; asm volatile("atom" scope ".cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(address), "h"(compare), "h"(value) : "memory"); return old; }
CUDALABS_CAS_16(atomicCAS, "")
CUDALABS_CAS_16(atomicCAS_block, ".cta")
CUDALABS_CAS_16(atomicCAS_system, ".sys")
#undef CUDALABS_CAS_16
// clang-format on
