// Prints numbers and layouts of the runtime API's types. Built against the project's headers and, where nvcc is
// installed, against the toolkit's: programs of both kinds talk to one library, so the two must agree.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>

#define LAYOUT(type, member) std::printf(#type "." #member " %zu\n", offsetof(type, member))
#define SIZE(type) std::printf("sizeof " #type " %zu %zu\n", sizeof(type), alignof(type))
#define VALUE(name) std::printf(#name " %lld\n", static_cast<long long>(name))

int main() {
  SIZE(cudaDeviceProp);
  LAYOUT(cudaDeviceProp, totalGlobalMem);
  LAYOUT(cudaDeviceProp, sharedMemPerBlock);
  LAYOUT(cudaDeviceProp, warpSize);
  LAYOUT(cudaDeviceProp, maxThreadsDim);
  LAYOUT(cudaDeviceProp, maxGridSize);
  LAYOUT(cudaDeviceProp, major);
  LAYOUT(cudaDeviceProp, multiProcessorCount);
  LAYOUT(cudaDeviceProp, maxSurfaceCubemapLayered);
  LAYOUT(cudaDeviceProp, memoryBusWidth);
  LAYOUT(cudaDeviceProp, l2CacheSize);
  LAYOUT(cudaDeviceProp, regsPerMultiprocessor);
  LAYOUT(cudaDeviceProp, managedMemory);
  LAYOUT(cudaDeviceProp, sharedMemPerBlockOptin);
  LAYOUT(cudaDeviceProp, maxBlocksPerMultiProcessor);
  LAYOUT(cudaDeviceProp, reservedSharedMemPerBlock);
  LAYOUT(cudaDeviceProp, hostNumaMultinodeIpcSupported);
  SIZE(cudaFuncAttributes);
  LAYOUT(cudaFuncAttributes, maxThreadsPerBlock);
  LAYOUT(cudaFuncAttributes, numRegs);
  LAYOUT(cudaFuncAttributes, maxDynamicSharedSizeBytes);
  LAYOUT(cudaFuncAttributes, nonPortableClusterSizeAllowed);
  SIZE(cudaPointerAttributes);
  LAYOUT(cudaPointerAttributes, device);
  LAYOUT(cudaPointerAttributes, devicePointer);
  LAYOUT(cudaPointerAttributes, hostPointer);
  SIZE(dim3);
  SIZE(uint3);
  SIZE(char4);
  SIZE(float2);
  SIZE(float3);
  SIZE(float4);
  SIZE(double2);
  SIZE(long2);
  SIZE(longlong4);
  VALUE(cudaErrorInvalidValue);
  VALUE(cudaErrorMemoryAllocation);
  VALUE(cudaErrorInvalidConfiguration);
  VALUE(cudaErrorInvalidPitchValue);
  VALUE(cudaErrorInvalidSymbol);
  VALUE(cudaErrorInvalidMemcpyDirection);
  VALUE(cudaErrorInsufficientDriver);
  VALUE(cudaErrorDevicesUnavailable);
  VALUE(cudaErrorMissingConfiguration);
  VALUE(cudaErrorInvalidDeviceFunction);
  VALUE(cudaErrorNoDevice);
  VALUE(cudaErrorInvalidKernelImage);
  VALUE(cudaErrorNoKernelImageForDevice);
  VALUE(cudaErrorInvalidPtx);
  VALUE(cudaErrorUnsupportedPtxVersion);
  VALUE(cudaErrorInvalidResourceHandle);
  VALUE(cudaErrorNotReady);
  VALUE(cudaErrorIllegalAddress);
  VALUE(cudaErrorLaunchOutOfResources);
  VALUE(cudaErrorLaunchTimeout);
  VALUE(cudaErrorAssert);
  VALUE(cudaErrorHostMemoryAlreadyRegistered);
  VALUE(cudaErrorIllegalInstruction);
  VALUE(cudaErrorMisalignedAddress);
  VALUE(cudaErrorLaunchFailure);
  VALUE(cudaErrorNotSupported);
  VALUE(cudaErrorUnknown);
  VALUE(cudaMemcpyDefault);
  VALUE(cudaMemoryTypeDevice);
  VALUE(cudaFuncCachePreferEqual);
  VALUE(cudaFuncAttributeMaxDynamicSharedMemorySize);
  VALUE(cudaFuncAttributePreferredSharedMemoryCarveout);
  VALUE(cudaSharedmemCarveoutDefault);
  VALUE(cudaLimitMallocHeapSize);
  VALUE(cudaDevAttrClockRate);
  VALUE(cudaDevAttrMultiProcessorCount);
  VALUE(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  VALUE(cudaDevAttrMaxBlocksPerMultiprocessor);
  VALUE(cudaDevAttrMemoryPoolsSupported);
  VALUE(cudaHostAllocWriteCombined);
  VALUE(cudaHostRegisterReadOnly);
  VALUE(cudaEventDisableTiming);
  VALUE(cudaStreamNonBlocking);
  VALUE(cudaDeviceScheduleBlockingSync);
  VALUE(cudaOccupancyDisableCachingOverride);
  SIZE(cudaMemcpy3DParms);
  LAYOUT(cudaMemcpy3DParms, srcPtr.ysize);
  LAYOUT(cudaMemcpy3DParms, dstPos);
  LAYOUT(cudaMemcpy3DParms, extent.depth);
  LAYOUT(cudaMemcpy3DParms, kind);
  SIZE(cudaMemcpy3DPeerParms);
  LAYOUT(cudaMemcpy3DPeerParms, dstDevice);
  LAYOUT(cudaMemcpy3DPeerParms, extent);
  VALUE(cudaSharedMemBankSizeEightByte);
  VALUE(cudaStreamCaptureStatusInvalidated);
  SIZE(cudaLaunchConfig_t);
  LAYOUT(cudaLaunchConfig_t, blockDim);
  LAYOUT(cudaLaunchConfig_t, dynamicSmemBytes);
  LAYOUT(cudaLaunchConfig_t, stream);
  LAYOUT(cudaLaunchConfig_t, attrs);
  LAYOUT(cudaLaunchConfig_t, numAttrs);
  SIZE(cudaLaunchAttribute);
  LAYOUT(cudaLaunchAttribute, val);
  LAYOUT(cudaLaunchAttribute, val.programmaticEvent.triggerAtBlockStart);
  LAYOUT(cudaLaunchAttribute, val.accessPolicyWindow.missProp);
  VALUE(cudaLaunchAttributeCooperative);
  VALUE(cudaLaunchAttributeClusterDimension);
  VALUE(cudaLaunchAttributeClusterSchedulingPolicyPreference);
  VALUE(cudaLaunchAttributeProgrammaticStreamSerialization);
  VALUE(cudaLaunchAttributeProgrammaticEvent);
  VALUE(cudaLaunchAttributePriority);
  VALUE(cudaLaunchAttributeMemSyncDomain);
  VALUE(cudaLaunchAttributePreferredClusterDimension);
  VALUE(cudaLaunchAttributeLaunchCompletionEvent);
  VALUE(cudaLaunchAttributeDeviceUpdatableKernelNode);
  VALUE(cudaLaunchAttributePreferredSharedMemoryCarveout);
  VALUE(cudaLaunchAttributeNvlinkUtilCentricScheduling);
  VALUE(cudaAccessPropertyPersisting);
  VALUE(cudaSyncPolicyBlockingSync);
  VALUE(cudaClusterSchedulingPolicyLoadBalancing);
  VALUE(cudaErrorCooperativeLaunchTooLarge);
  VALUE(cudaErrorInvalidClusterSize);
  VALUE(cudaDevAttrCooperativeLaunch);
  VALUE(cudaDevAttrClusterLaunch);
  return 0;
}
