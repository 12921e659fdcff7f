// The system's <stdio.h>, and printf of the device with it: nvcc knows it in kernels only where this is included.
#pragma once

#include_next <stdio.h>

#if defined(__CUDA__)
extern "C" {
__device__ int printf(const char* format, ...);  // clang turns the call into vprintf with packed arguments
__device__ int vprintf(const char* format, const char* arguments);
}
#endif
