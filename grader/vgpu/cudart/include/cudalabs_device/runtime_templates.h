// The C++ forms of the runtime API: typed pointers, kernels and symbols by reference.
//
// They have no debug information and are always inlined, so that the library sees the student's line as its caller.
#pragma once

#include "../cuda_runtime_api.h"

#define CUDALABS_FORWARD static CUDALABS_INLINE
#if defined(__clang__)
#define CUDALABS_INLINE_LAMBDA __attribute__((always_inline, nodebug))
#else
#define CUDALABS_INLINE_LAMBDA __attribute__((always_inline))
#endif

template <class T>
CUDALABS_FORWARD cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc((void**)(void*)pointer, bytes);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(void*)pointer, bytes, flags);
}
CUDALABS_FORWARD cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                                  unsigned int, cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync(pointer, bytes,
                                location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId, stream);
}
CUDALABS_FORWARD cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                           cudaMemLocation location) {
  return ::cudaMemAdvise(pointer, bytes, advice,
                         location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0,
                                                      unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void*)pointer, bytes, flags);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(void*)pointer, bytes, stream);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                                     cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0) {
  return ::cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)(void*)device_pointer, host_pointer, flags);
}
CUDALABS_FORWARD cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
CUDALABS_FORWARD cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                                enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                                  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                                     enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                     cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                                       enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                       cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return ::cudaGetSymbolAddress(address, (const void*)&symbol);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return ::cudaGetSymbolSize(bytes, (const void*)&symbol);
}

template <class T>
CUDALABS_FORWARD cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                              size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)function, grid, block, arguments, shared_bytes, stream);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                                         size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)function, grid, block, arguments, shared_bytes, stream);
}
/// The arguments become the kernel's parameters' types first, as in a call.
template <class... Parameters, class... Arguments>
CUDALABS_FORWARD cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*function)(Parameters...),
                                                Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "a launch needs an argument for each parameter");
  return [&](Parameters... parameters) CUDALABS_INLINE_LAMBDA {
    void* addresses[] = {(void*)&parameters..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void*)function, addresses);
  }(static_cast<Arguments&&>(arguments)...);
}
template <class... Arguments>
CUDALABS_FORWARD cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, cudaKernel_t function,
                                                Arguments&&... arguments) {
  void* addresses[] = {(void*)&arguments..., nullptr};
  return ::cudaLaunchKernelExC(config, (const void*)function, addresses);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, T* function) {
  return ::cudaFuncGetAttributes(attributes, (const void*)function);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaFuncSetAttribute(T* function, enum cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void*)function, attribute, value);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaFuncSetCacheConfig(T* function, enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void*)function, config);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaFuncSetSharedMemConfig(T* function, enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)function, config);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaFuncGetName(const char** name, T* function) {
  return ::cudaFuncGetName(name, (const void*)function);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function, int block_size,
                                                                           size_t dynamic_shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, block_size,
                                                         dynamic_shared_bytes);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T function,
                                                                                    int block_size,
                                                                                    size_t dynamic_shared_bytes,
                                                                                    unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)function, block_size,
                                                                  dynamic_shared_bytes, flags);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_shared_bytes, T* function,
                                                                       int blocks, int block_size) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamic_shared_bytes, (const void*)function, blocks, block_size);
}

template <class T>
CUDALABS_FORWARD cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* function,
                                                            const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void*)function, config);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, T* function,
                                                                  const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(blocks, (const void*)function, config);
}

/// The block size with the most threads resident on a multiprocessor, the larger of equals, and the fewest blocks that
/// fill the device with it. `shared_bytes_of(block_size)`: dynamic shared memory a block of that size needs.
template <class UnaryFunction, class T>
CUDALABS_FORWARD cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size,
                                                                            T function, UnaryFunction shared_bytes_of,
                                                                            int block_size_limit = 0) {
  if (!min_grid_size || !block_size) return cudaErrorInvalidValue;
  int device = 0, multiprocessors = 0;
  struct cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, (const void*)function);
  if (error != cudaSuccess) return error;
  int limit = attributes.maxThreadsPerBlock;
  if (block_size_limit > 0 && block_size_limit < limit) limit = block_size_limit;
  int best_threads = 0, best_size = 0, best_blocks = 0;
  for (int size = limit; size > 0; size = size % 32 ? size - size % 32 : size - 32) {
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)function, size,
                                                            (size_t)shared_bytes_of(size));
    if (error != cudaSuccess) return error;
    if (blocks * size > best_threads) {
      best_threads = blocks * size;
      best_size = size;
      best_blocks = blocks;
    }
  }
  *min_grid_size = best_blocks * multiprocessors;
  *block_size = best_size;
  return cudaSuccess;
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, T function,
                                                                size_t dynamic_shared_bytes = 0,
                                                                int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      min_grid_size, block_size, function, [dynamic_shared_bytes](int) { return dynamic_shared_bytes; },
      block_size_limit);
}

// Forms of before CUDA 12: the first node that is wrong, and a text, are not told.
CUDALABS_FORWARD cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                  cudaGraphNode_t* error_node, char* text, size_t bytes) {
  if (error_node) *error_node = 0;
  if (text && bytes > 0) *text = 0;
  return ::cudaGraphInstantiate(executable, graph, 0);
}
CUDALABS_FORWARD cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                                 cudaGraphNode_t* error_node, enum cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t status = ::cudaGraphExecUpdate(executable, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return status;
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                            const cudaGraphNode_t* dependencies, size_t count,
                                                            const T& symbol, const void* from, size_t bytes,
                                                            size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, count, (const void*)&symbol, from, bytes, offset,
                                          kind);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                              const cudaGraphNode_t* dependencies, size_t count,
                                                              void* to, const T& symbol, size_t bytes, size_t offset,
                                                              enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, count, to, (const void*)&symbol, bytes, offset,
                                            kind);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                                  const void* from, size_t bytes, size_t offset,
                                                                  enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const T& symbol,
                                                                    size_t bytes, size_t offset,
                                                                    enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, to, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                                      const T& symbol, const void* from, size_t bytes,
                                                                      size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, node, (const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
CUDALABS_FORWARD cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                                        cudaGraphNode_t node, void* to, const T& symbol,
                                                                        size_t bytes, size_t offset,
                                                                        enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, node, to, (const void*)&symbol, bytes, offset, kind);
}

#undef CUDALABS_INLINE_LAMBDA
#undef CUDALABS_FORWARD

#if defined(__CUDA__)
/// Where clang's `kernel<<<grid, block, shared, stream>>>` leaves its configuration.
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = 0);
#endif
