// For nvcc's checked build: NVIDIA's cuda_pipeline_helpers.h, with copies that are asynchronous.
//
// For the architecture of the virtual GPU that header copies at once, and a program that forgets to wait is right by
// chance. The virtual GPU executes the asynchronous copies of later architectures, so the header's choice is made as if
// for one of these. NVIDIA's own headers beside it find it there and not here: each of them that a program may name
// includes this one first.
#pragma once

#if defined(__CUDA_ARCH__)
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
#include_next <cuda_pipeline_helpers.h>
#pragma pop_macro("__CUDA_ARCH__")
#else
#include_next <cuda_pipeline_helpers.h>
#endif
