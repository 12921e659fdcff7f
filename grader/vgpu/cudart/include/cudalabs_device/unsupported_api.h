// Parts of the runtime API that the virtual GPU does not have: declared, so that a program which uses them compiles and
// gets a finding for each call. The functions take whatever they are given.
#pragma once

#include "launch_config.h"
#include "pitched_memory.h"

// clang-format off
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUuserObject_st* cudaUserObject_t;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal = 0, cudaStreamCaptureModeThreadLocal = 1, cudaStreamCaptureModeRelaxed = 2 };
enum cudaGraphInstantiateFlags { cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, cudaGraphInstantiateFlagUpload = 2, cudaGraphInstantiateFlagDeviceLaunch = 4, cudaGraphInstantiateFlagUseNodePriority = 8 };
struct cudaKernelNodeParams { void* func; dim3 gridDim; dim3 blockDim; unsigned int sharedMemBytes; void** kernelParams; void** extra; };
struct cudaMemsetParams { void* dst; size_t pitch; unsigned int value; unsigned int elementSize; size_t width; size_t height; };
struct cudaHostNodeParams { cudaHostFn_t fn; void* userData; };

enum cudaChannelFormatKind { cudaChannelFormatKindSigned = 0, cudaChannelFormatKindUnsigned = 1, cudaChannelFormatKindFloat = 2, cudaChannelFormatKindNone = 3 };
struct cudaChannelFormatDesc { int x, y, z, w; enum cudaChannelFormatKind f; };
enum cudaResourceType { cudaResourceTypeArray = 0, cudaResourceTypeMipmappedArray = 1, cudaResourceTypeLinear = 2, cudaResourceTypePitch2D = 3 };
struct cudaResourceDesc {
  enum cudaResourceType resType;
  union {
    struct { cudaArray_t array; } array;
    struct { cudaMipmappedArray_t mipmap; } mipmap;
    struct { void* devPtr; struct cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
    struct { void* devPtr; struct cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
    struct { int reserved[32]; } reserved;
  } res;
  unsigned int flags;
};
enum cudaTextureAddressMode { cudaAddressModeWrap = 0, cudaAddressModeClamp = 1, cudaAddressModeMirror = 2, cudaAddressModeBorder = 3 };
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02


typedef struct cudaIpcMemHandle_st { char reserved[64]; } cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st { char reserved[64]; } cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 0x01
// clang-format on

#define CUDALABS_UNSUPPORTED(name) extern "C" cudaError_t name(...);
#include "unsupported_names.h"
#undef CUDALABS_UNSUPPORTED

extern "C" struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                              enum cudaChannelFormatKind kind);
/// Of a texture's elements; whatever uses it is not supported.
template <class T>
static CUDALABS_INLINE cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc((int)(8 * sizeof(T)), 0, 0, 0, cudaChannelFormatKindNone);
}

#if defined(__CUDA__)
// Nothing can be made that these could read: the call that was to make it has failed.
// clang-format off
// The virtual GPU refuses kernels with this instruction, as it does nvcc's own, and says so at the call.
static __device__ CUDALABS_INLINE void cudalabs_query_texture(unsigned long long object) {
  unsigned int width;
  asm volatile("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(object));
}
template <class T> static __device__ CUDALABS_INLINE T tex1Dfetch(cudaTextureObject_t object, int) { cudalabs_query_texture(object); return T(); }
template <class T> static __device__ CUDALABS_INLINE T tex1D(cudaTextureObject_t object, float) { cudalabs_query_texture(object); return T(); }
template <class T> static __device__ CUDALABS_INLINE T tex2D(cudaTextureObject_t object, float, float) { cudalabs_query_texture(object); return T(); }
template <class T> static __device__ CUDALABS_INLINE T tex3D(cudaTextureObject_t object, float, float, float) { cudalabs_query_texture(object); return T(); }
template <class T> static __device__ CUDALABS_INLINE T surf2Dread(cudaSurfaceObject_t object, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) { cudalabs_query_texture(object); return T(); }
template <class T> static __device__ CUDALABS_INLINE void surf2Dwrite(T, cudaSurfaceObject_t object, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) { cudalabs_query_texture(object); }
// clang-format on
#endif
