// <new> for the host alone, before any other header includes it; new.h has the device's operators.
//
// clang wraps <new> and adds device operators of its own, which would be functions that the program's findings and
// counts point into. While __device__ is no macro the wrapper includes <new> alone; its guard keeps it out ever after.
#pragma once

#pragma push_macro("__device__")
#undef __device__
#include <new>
#pragma pop_macro("__device__")
#if !defined(__CLANG_CUDA_WRAPPERS_NEW)
#define __CLANG_CUDA_WRAPPERS_NEW
#endif
