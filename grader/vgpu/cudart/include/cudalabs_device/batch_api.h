// Copies in batches, and what is known of arrays, textures, pools and the driver beside that.
#pragma once

#include "graph_types.h"
#include "pitched_memory.h"
#include "texture_types.h"

// NOLINTBEGIN: the names and forms are those of CUDA

// clang-format off
enum cudaMemcpyFlags { cudaMemcpyFlagDefault = 0, cudaMemcpyFlagPreferOverlapWithCompute = 1 };
enum cudaMemcpySrcAccessOrder { cudaMemcpySrcAccessOrderInvalid = 0, cudaMemcpySrcAccessOrderStream = 1, cudaMemcpySrcAccessOrderDuringApiCall = 2, cudaMemcpySrcAccessOrderAny = 3 };
struct cudaMemcpyAttributes { enum cudaMemcpySrcAccessOrder srcAccessOrder; struct cudaMemLocation srcLocHint; struct cudaMemLocation dstLocHint; unsigned int flags; };
enum cudaMemcpy3DOperandType { cudaMemcpyOperandTypePointer = 1, cudaMemcpyOperandTypeArray = 2 };
struct cudaOffset3D { size_t x; size_t y; size_t z; };
struct cudaMemcpy3DOperand {
  enum cudaMemcpy3DOperandType type;
  union {
    struct { void* ptr; size_t rowLength; size_t layerHeight; struct cudaMemLocation locHint; } ptr;
    struct { cudaArray_t array; struct cudaOffset3D offset; } array;
  } op;
};
struct cudaMemcpy3DBatchOp { struct cudaMemcpy3DOperand src; struct cudaMemcpy3DOperand dst; struct cudaExtent extent; enum cudaMemcpySrcAccessOrder srcAccessOrder; unsigned int flags; };
struct cudaArrayMemoryRequirements { size_t size; size_t alignment; unsigned int reserved[4]; };
enum cudaDeviceP2PAttr { cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported = 2, cudaDevP2PAttrNativeAtomicSupported = 3, cudaDevP2PAttrCudaArrayAccessSupported = 4, cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5 };
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess = 0, cudaDriverEntryPointSymbolNotFound = 1, cudaDriverEntryPointVersionNotSufficent = 2 };
#define cudaEnableDefault 0
#define cudaEnableLegacyStream 1
#define cudaEnablePerThreadDefaultStream 2

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes, size_t count, struct cudaMemcpyAttributes* attributes, size_t* first, size_t attribute_count, cudaStream_t stream);
cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp* copies, unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count, struct cudaMemLocation* places, size_t* first, size_t place_count, unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* bytes, size_t count, unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count, struct cudaMemLocation* places, size_t* first, size_t place_count, unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, enum cudaMemRangeAttribute attribute, const void* pointer, size_t bytes);
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes, enum cudaMemRangeAttribute* attributes, size_t count, const void* pointer, size_t bytes);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* requirements, cudaArray_t array, int device);
cudaError_t cudaArrayGetPlane(cudaArray_t* plane, cudaArray_t array, unsigned int index);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc* view, cudaTextureObject_t object);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const struct cudaChannelFormatDesc* format, int device);
cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int device, int other);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool, struct cudaMemLocation* location);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* access, size_t count);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location, enum cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location, enum cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation* location, enum cudaMemAllocationType type, cudaMemPool_t pool);
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags, enum cudaDriverEntryPointQueryResult* result);
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int version, unsigned long long flags, enum cudaDriverEntryPointQueryResult* result);
#if defined(__cplusplus)
}
#endif
// clang-format on

// NOLINTEND
