// The driver API: launches, and what is known of a kernel.
#include <string.h>

#include "vgpu/cudart/client/driver/driver_launch.h"
#include "vgpu/cudart/client/per_thread.h"

namespace cudalabs::vgpu::client::driver {
namespace {

// How `extra` of a launch says where its parameters are, packed as the kernel has them.
void* const kEnd = nullptr;
const std::uintptr_t kBufferPointer = 1, kBufferSize = 2;

struct Extra {
  std::byte* buffer = nullptr;
  std::size_t bytes = 0;
};

bool read(void** extra, Extra* found) {
  for (; *extra != kEnd; extra += 2) {
    const auto tag = reinterpret_cast<std::uintptr_t>(*extra);
    if (tag == kBufferPointer) {
      found->buffer = static_cast<std::byte*>(extra[1]);
    } else if (tag == kBufferSize) {
      found->bytes = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return false;
    }
  }
  return found->buffer != nullptr || found->bytes == 0;
}

/// CUlaunchConfig of the toolkit; its attributes are the runtime's.
struct LaunchConfig {
  unsigned int grid[3];
  unsigned int block[3];
  unsigned int shared_bytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attributes;
  unsigned int attribute_count;
};

cudaLaunchConfig_t of_runtime(const LaunchConfig& config) {
  cudaLaunchConfig_t wanted{};
  wanted.gridDim = dim3(config.grid[0], config.grid[1], config.grid[2]);
  wanted.blockDim = dim3(config.block[0], config.block[1], config.block[2]);
  wanted.dynamicSmemBytes = config.shared_bytes;
  wanted.stream = config.stream;
  wanted.attrs = config.attributes;
  wanted.numAttrs = config.attribute_count;
  return wanted;
}

int launch_configured(const LaunchConfig* config, KernelHandle kernel, void** arguments, void** extra) {
  return with_arguments(kernel, arguments, extra, [&](void** all) {
    if (!config) return cudaErrorInvalidValue;
    const cudaLaunchConfig_t wanted = of_runtime(*config);
    return cudaLaunchKernelExC(&wanted, kernel, all);
  });
}

int launch(KernelHandle kernel, dim3 grid, dim3 block, unsigned int shared_bytes, cudaStream_t stream, void** arguments,
           void** extra) {
  return with_arguments(kernel, arguments, extra,
                        [&](void** all) { return cudaLaunchKernel(kernel, grid, block, all, shared_bytes, stream); });
}

int launch_cooperatively(KernelHandle kernel, dim3 grid, dim3 block, unsigned int shared_bytes, cudaStream_t stream,
                         void** arguments) {
  return with_arguments(kernel, arguments, nullptr, [&](void** all) {
    return cudaLaunchCooperativeKernel(kernel, grid, block, all, shared_bytes, stream);
  });
}

Result attribute_of(int* value, int attribute, KernelHandle kernel) {
  if (!value) return kInvalidValue;
  cudaFuncAttributes known;
  if (const cudaError_t status = cudaFuncGetAttributes(&known, kernel); status != cudaSuccess) return result_of(status);
  switch (attribute) {  // CUfunction_attribute
    case 0:
      return *value = known.maxThreadsPerBlock, kSuccess;
    case 1:
      return *value = static_cast<int>(known.sharedSizeBytes), kSuccess;
    case 2:
      return *value = static_cast<int>(known.constSizeBytes), kSuccess;
    case 3:
      return *value = static_cast<int>(known.localSizeBytes), kSuccess;
    case 4:
      return *value = known.numRegs, kSuccess;
    case 5:
      return *value = known.ptxVersion, kSuccess;
    case 6:
      return *value = known.binaryVersion, kSuccess;
    case 7:
      return *value = known.cacheModeCA, kSuccess;
    case 8:
      return *value = known.maxDynamicSharedSizeBytes, kSuccess;
    case 9:
      return *value = known.preferredShmemCarveout, kSuccess;
    case 10:
      return *value = known.clusterDimMustBeSet, kSuccess;
    case 11:
      return *value = known.requiredClusterWidth, kSuccess;
    case 12:
      return *value = known.requiredClusterHeight, kSuccess;
    case 13:
      return *value = known.requiredClusterDepth, kSuccess;
    case 14:
      return *value = known.nonPortableClusterSizeAllowed, kSuccess;
    case 15:
      return *value = known.clusterSchedulingPolicyPreference, kSuccess;
    default:
      return kInvalidValue;
  }
}

using SharedBytesOfBlock = std::size_t (*)(int block_size);

/// The largest block that lets most threads be resident, by trying: as the toolkit's headers do it for the runtime.
Result best_block(int* blocks, int* block_size, KernelHandle kernel, SharedBytesOfBlock shared_bytes_of,
                  std::size_t shared_bytes, int limit, unsigned int flags) {
  if (!blocks || !block_size || limit < 0) return kInvalidValue;
  cudaFuncAttributes known;
  if (const cudaError_t status = cudaFuncGetAttributes(&known, kernel); status != cudaSuccess) return result_of(status);
  int multiprocessors = 0, warp = 0;
  if (const cudaError_t status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
      status != cudaSuccess)
    return result_of(status);
  if (const cudaError_t status = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0); status != cudaSuccess)
    return result_of(status);
  const int most = limit > 0 && limit < known.maxThreadsPerBlock ? limit : known.maxThreadsPerBlock;
  int best_threads = 0;
  for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
    const int threads = size < most ? size : most;
    int resident = 0;
    const std::size_t bytes = shared_bytes_of ? shared_bytes_of(threads) : shared_bytes;
    if (const cudaError_t status =
            cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&resident, kernel, threads, bytes, flags);
        status != cudaSuccess)
      return result_of(status);
    if (resident * threads <= best_threads) continue;
    best_threads = resident * threads;
    *block_size = threads;
    *blocks = resident * multiprocessors;
  }
  return best_threads > 0 ? kSuccess : kInvalidValue;
}

}  // namespace

Result places_in(void** extra, KernelHandle kernel, void** places) {
  Extra given;
  if (!read(extra, &given)) return kInvalidValue;
  Lock lock;
  Function* function = nullptr;
  if (const cudaError_t status = client().find_function(kernel, &function); status != cudaSuccess)
    return result_of(status);
  if (function->parameter_bytes > given.bytes || function->parameter_count > kMostParameters) return kInvalidValue;
  for (std::uint32_t i = 0; i < function->parameter_count; ++i)
    places[i] = given.buffer + function->parameters[i].offset;
  return kSuccess;
}

CUDALABS_API int cuLaunchKernel(KernelHandle kernel, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                unsigned int shared_bytes, cudaStream_t stream, void** arguments, void** extra) {
  CUDALABS_DRIVER_CALL("cuLaunchKernel");
  return launch(kernel, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared_bytes, stream, arguments,
                extra);
}

CUDALABS_API int cuLaunchCooperativeKernel(KernelHandle kernel, unsigned int grid_x, unsigned int grid_y,
                                           unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                           unsigned int block_z, unsigned int shared_bytes, cudaStream_t stream,
                                           void** arguments) {
  CUDALABS_DRIVER_CALL("cuLaunchCooperativeKernel");
  return launch_cooperatively(kernel, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared_bytes,
                              stream, arguments);
}

CUDALABS_API int cuLaunchKernelEx(const LaunchConfig* config, KernelHandle kernel, void** arguments, void** extra) {
  CUDALABS_DRIVER_CALL("cuLaunchKernelEx");
  return launch_configured(config, kernel, arguments, extra);
}

CUDALABS_API int cuFuncGetAttribute(int* value, int attribute, KernelHandle kernel) {
  CUDALABS_DRIVER_CALL("cuFuncGetAttribute");
  return in_context([&]() -> int { return attribute_of(value, attribute, kernel); });
}

CUDALABS_API int cuKernelGetAttribute(int* value, int attribute, KernelHandle kernel, Device device) {
  CUDALABS_DRIVER_CALL("cuKernelGetAttribute");
  return in_context([&]() -> int { return device == 0 ? attribute_of(value, attribute, kernel) : kInvalidDevice; });
}

// Those that can be set have one number in both APIs.
CUDALABS_API int cuFuncSetAttribute(KernelHandle kernel, int attribute, int value) {
  CUDALABS_DRIVER_CALL("cuFuncSetAttribute");
  return in_context([&] { return cudaFuncSetAttribute(kernel, static_cast<cudaFuncAttribute>(attribute), value); });
}

CUDALABS_API int cuKernelSetAttribute(int attribute, int value, KernelHandle kernel, Device device) {
  CUDALABS_DRIVER_CALL("cuKernelSetAttribute");
  return in_context([&]() -> int {
    if (device != 0) return kInvalidDevice;
    return result_of(cudaFuncSetAttribute(kernel, static_cast<cudaFuncAttribute>(attribute), value));
  });
}

CUDALABS_API int cuFuncSetCacheConfig(KernelHandle kernel, int config) {
  CUDALABS_DRIVER_CALL("cuFuncSetCacheConfig");
  return in_context([&] { return cudaFuncSetCacheConfig(kernel, static_cast<cudaFuncCache>(config)); });
}

CUDALABS_API int cuKernelSetCacheConfig(KernelHandle kernel, int config, Device device) {
  CUDALABS_DRIVER_CALL("cuKernelSetCacheConfig");
  return in_context([&]() -> int {
    return device == 0 ? result_of(cudaFuncSetCacheConfig(kernel, static_cast<cudaFuncCache>(config))) : kInvalidDevice;
  });
}

CUDALABS_API int cuFuncGetName(const char** name, KernelHandle kernel) {
  CUDALABS_DRIVER_CALL("cuFuncGetName");
  return in_context([&] { return cudaFuncGetName(name, kernel); });
}

CUDALABS_API int cuFuncGetParamInfo(KernelHandle kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  CUDALABS_DRIVER_CALL("cuFuncGetParamInfo");
  return in_context([&] { return cudaFuncGetParamInfo(kernel, index, offset, bytes); });
}

CUDALABS_API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, KernelHandle kernel, int block_size,
                                                             std::size_t shared_bytes) {
  CUDALABS_DRIVER_CALL("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return in_context(
      [&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, shared_bytes); });
}

CUDALABS_API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, KernelHandle kernel, int block_size,
                                                                      std::size_t shared_bytes, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
  return in_context([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size, shared_bytes, flags);
  });
}

CUDALABS_API int cuOccupancyMaxPotentialBlockSize(int* blocks, int* block_size, KernelHandle kernel,
                                                  SharedBytesOfBlock shared_bytes_of, std::size_t shared_bytes,
                                                  int limit) {
  CUDALABS_DRIVER_CALL("cuOccupancyMaxPotentialBlockSize");
  return in_context([&]() -> int {
    return best_block(blocks, block_size, kernel, shared_bytes_of, shared_bytes, limit, cudaOccupancyDefault);
  });
}

CUDALABS_API int cuOccupancyMaxPotentialBlockSizeWithFlags(int* blocks, int* block_size, KernelHandle kernel,
                                                           SharedBytesOfBlock shared_bytes_of, std::size_t shared_bytes,
                                                           int limit, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuOccupancyMaxPotentialBlockSizeWithFlags");
  return in_context(
      [&]() -> int { return best_block(blocks, block_size, kernel, shared_bytes_of, shared_bytes, limit, flags); });
}

CUDALABS_API int cuOccupancyMaxActiveClusters(int* clusters, KernelHandle kernel, const LaunchConfig* config) {
  CUDALABS_DRIVER_CALL("cuOccupancyMaxActiveClusters");
  return in_context([&]() -> int {
    if (!config) return kInvalidValue;
    const cudaLaunchConfig_t asked = of_runtime(*config);
    return result_of(cudaOccupancyMaxActiveClusters(clusters, kernel, &asked));
  });
}

CUDALABS_API int cuOccupancyMaxPotentialClusterSize(int* blocks, KernelHandle kernel, const LaunchConfig* config) {
  CUDALABS_DRIVER_CALL("cuOccupancyMaxPotentialClusterSize");
  return in_context([&]() -> int {
    if (!config) return kInvalidValue;
    const cudaLaunchConfig_t asked = of_runtime(*config);
    return result_of(cudaOccupancyMaxPotentialClusterSize(blocks, kernel, &asked));
  });
}

CUDALABS_PER_THREAD(cuLaunchCooperativeKernel, _ptsz, 10)
CUDALABS_PER_THREAD(cuLaunchKernel, _ptsz, 11)
CUDALABS_PER_THREAD(cuLaunchKernelEx, _ptsz, 4)

}  // namespace cudalabs::vgpu::client::driver
