// Parts of the runtime API that the virtual GPU does not have: declared, so that a program which uses them compiles and
// gets a finding for each call. The functions take whatever they are given.
#pragma once

#include "launch_config.h"
#include "pitched_memory.h"
#include "texture_types.h"

// clang-format off
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUuserObject_st* cudaUserObject_t;

enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal = 0, cudaStreamCaptureModeThreadLocal = 1, cudaStreamCaptureModeRelaxed = 2 };
enum cudaGraphInstantiateFlags { cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, cudaGraphInstantiateFlagUpload = 2, cudaGraphInstantiateFlagDeviceLaunch = 4, cudaGraphInstantiateFlagUseNodePriority = 8 };
struct cudaKernelNodeParams { void* func; dim3 gridDim; dim3 blockDim; unsigned int sharedMemBytes; void** kernelParams; void** extra; };
struct cudaMemsetParams { void* dst; size_t pitch; unsigned int value; unsigned int elementSize; size_t width; size_t height; };
struct cudaHostNodeParams { cudaHostFn_t fn; void* userData; };

typedef struct cudaIpcMemHandle_st { char reserved[64]; } cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st { char reserved[64]; } cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 0x01
// clang-format on

#define CUDALABS_UNSUPPORTED(name) extern "C" cudaError_t name(...);
#include "unsupported_names.h"
#undef CUDALABS_UNSUPPORTED
