// The runtime API's function names as numbers on the wire; one list for client, server and report.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudalabs::vgpu::wire {

// clang-format off
inline constexpr const char* kCallNames[] = {
    "", "cudaArrayGetInfo", "cudaArrayGetMemoryRequirements", "cudaArrayGetPlane", "cudaArrayGetSparseProperties",
    "cudaChooseDevice", "cudaCreateSurfaceObject", "cudaCreateTextureObject", "cudaCtxResetPersistingL2Cache",
    "cudaDestroyExternalMemory", "cudaDestroyExternalSemaphore", "cudaDestroySurfaceObject",
    "cudaDestroyTextureObject", "cudaDeviceCanAccessPeer", "cudaDeviceDisablePeerAccess",
    "cudaDeviceEnablePeerAccess", "cudaDeviceFlushGPUDirectRDMAWrites", "cudaDeviceGetAttribute",
    "cudaDeviceGetByPCIBusId", "cudaDeviceGetCacheConfig", "cudaDeviceGetDefaultMemPool",
    "cudaDeviceGetGraphMemAttribute", "cudaDeviceGetHostAtomicCapabilities", "cudaDeviceGetLimit",
    "cudaDeviceGetMemPool", "cudaDeviceGetNvSciSyncAttributes", "cudaDeviceGetP2PAtomicCapabilities",
    "cudaDeviceGetP2PAttribute", "cudaDeviceGetPCIBusId", "cudaDeviceGetSharedMemConfig",
    "cudaDeviceGetStreamPriorityRange", "cudaDeviceGetTexture1DLinearMaxWidth", "cudaDeviceGraphMemTrim",
    "cudaDeviceRegisterAsyncNotification", "cudaDeviceReset", "cudaDeviceSetCacheConfig",
    "cudaDeviceSetGraphMemAttribute", "cudaDeviceSetLimit", "cudaDeviceSetMemPool", "cudaDeviceSetSharedMemConfig",
    "cudaDeviceSynchronize", "cudaDeviceUnregisterAsyncNotification", "cudaDriverGetVersion", "cudaEventCreate",
    "cudaEventCreateWithFlags", "cudaEventDestroy", "cudaEventElapsedTime", "cudaEventQuery", "cudaEventRecord",
    "cudaEventRecordWithFlags", "cudaEventSynchronize", "cudaExternalMemoryGetMappedBuffer",
    "cudaExternalMemoryGetMappedMipmappedArray", "cudaFree", "cudaFreeArray", "cudaFreeAsync", "cudaFreeHost",
    "cudaFreeMipmappedArray", "cudaFuncGetAttributes", "cudaFuncGetName", "cudaFuncGetParamInfo",
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig", "cudaGetChannelDesc",
    "cudaGetDevice", "cudaGetDeviceCount", "cudaGetDeviceFlags", "cudaGetDeviceProperties",
    "cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion", "cudaGetFuncBySymbol", "cudaGetKernel",
    "cudaGetLastError", "cudaGetMipmappedArrayLevel", "cudaGetSurfaceObjectResourceDesc", "cudaGetSymbolAddress",
    "cudaGetSymbolSize", "cudaGetTextureObjectResourceDesc", "cudaGetTextureObjectResourceViewDesc",
    "cudaGetTextureObjectTextureDesc", "cudaGraphAddChildGraphNode", "cudaGraphAddDependencies",
    "cudaGraphAddEmptyNode", "cudaGraphAddEventRecordNode", "cudaGraphAddEventWaitNode",
    "cudaGraphAddExternalSemaphoresSignalNode", "cudaGraphAddExternalSemaphoresWaitNode", "cudaGraphAddHostNode",
    "cudaGraphAddKernelNode", "cudaGraphAddMemAllocNode", "cudaGraphAddMemFreeNode", "cudaGraphAddMemcpyNode",
    "cudaGraphAddMemcpyNode1D", "cudaGraphAddMemcpyNodeFromSymbol", "cudaGraphAddMemcpyNodeToSymbol",
    "cudaGraphAddMemsetNode", "cudaGraphAddNode", "cudaGraphChildGraphNodeGetGraph", "cudaGraphClone",
    "cudaGraphConditionalHandleCreate", "cudaGraphCreate", "cudaGraphDebugDotPrint", "cudaGraphDestroy",
    "cudaGraphDestroyNode", "cudaGraphEventRecordNodeGetEvent", "cudaGraphEventRecordNodeSetEvent",
    "cudaGraphEventWaitNodeGetEvent", "cudaGraphEventWaitNodeSetEvent", "cudaGraphExecChildGraphNodeSetParams",
    "cudaGraphExecDestroy", "cudaGraphExecEventRecordNodeSetEvent", "cudaGraphExecEventWaitNodeSetEvent",
    "cudaGraphExecExternalSemaphoresSignalNodeSetParams", "cudaGraphExecExternalSemaphoresWaitNodeSetParams",
    "cudaGraphExecGetFlags", "cudaGraphExecHostNodeSetParams", "cudaGraphExecKernelNodeSetParams",
    "cudaGraphExecMemcpyNodeSetParams", "cudaGraphExecMemcpyNodeSetParams1D",
    "cudaGraphExecMemcpyNodeSetParamsFromSymbol", "cudaGraphExecMemcpyNodeSetParamsToSymbol",
    "cudaGraphExecMemsetNodeSetParams", "cudaGraphExecNodeSetParams", "cudaGraphExecUpdate",
    "cudaGraphExternalSemaphoresSignalNodeGetParams", "cudaGraphExternalSemaphoresSignalNodeSetParams",
    "cudaGraphExternalSemaphoresWaitNodeGetParams", "cudaGraphExternalSemaphoresWaitNodeSetParams",
    "cudaGraphGetEdges", "cudaGraphGetNodes", "cudaGraphGetRootNodes", "cudaGraphHostNodeGetParams",
    "cudaGraphHostNodeSetParams", "cudaGraphInstantiate", "cudaGraphInstantiateWithFlags",
    "cudaGraphInstantiateWithParams", "cudaGraphKernelNodeCopyAttributes", "cudaGraphKernelNodeGetAttribute",
    "cudaGraphKernelNodeGetParams", "cudaGraphKernelNodeSetAttribute", "cudaGraphKernelNodeSetParams",
    "cudaGraphLaunch", "cudaGraphMemAllocNodeGetParams", "cudaGraphMemFreeNodeGetParams",
    "cudaGraphMemcpyNodeGetParams", "cudaGraphMemcpyNodeSetParams", "cudaGraphMemcpyNodeSetParams1D",
    "cudaGraphMemcpyNodeSetParamsFromSymbol", "cudaGraphMemcpyNodeSetParamsToSymbol",
    "cudaGraphMemsetNodeGetParams", "cudaGraphMemsetNodeSetParams", "cudaGraphNodeFindInClone",
    "cudaGraphNodeGetDependencies", "cudaGraphNodeGetDependentNodes", "cudaGraphNodeGetEnabled",
    "cudaGraphNodeGetType", "cudaGraphNodeSetEnabled", "cudaGraphNodeSetParams", "cudaGraphReleaseUserObject",
    "cudaGraphRemoveDependencies", "cudaGraphRetainUserObject", "cudaGraphUpload", "cudaGraphicsMapResources",
    "cudaGraphicsResourceGetMappedMipmappedArray", "cudaGraphicsResourceGetMappedPointer",
    "cudaGraphicsResourceSetMapFlags", "cudaGraphicsSubResourceGetMappedArray", "cudaGraphicsUnmapResources",
    "cudaGraphicsUnregisterResource", "cudaHostAlloc", "cudaHostGetDevicePointer", "cudaHostGetFlags",
    "cudaHostRegister", "cudaHostUnregister", "cudaImportExternalMemory", "cudaImportExternalSemaphore",
    "cudaInitDevice", "cudaIpcCloseMemHandle", "cudaIpcGetEventHandle", "cudaIpcGetMemHandle",
    "cudaIpcOpenEventHandle", "cudaIpcOpenMemHandle", "cudaKernelSetAttributeForDevice",
    "cudaLaunchCooperativeKernel", "cudaLaunchHostFunc", "cudaLaunchKernel", "cudaLaunchKernelExC",
    "cudaLibraryEnumerateKernels", "cudaLibraryGetGlobal", "cudaLibraryGetKernel", "cudaLibraryGetKernelCount",
    "cudaLibraryGetManaged", "cudaLibraryGetUnifiedFunction", "cudaLibraryLoadData", "cudaLibraryLoadFromFile",
    "cudaLibraryUnload", "cudaMalloc", "cudaMalloc3D", "cudaMalloc3DArray", "cudaMallocArray", "cudaMallocAsync",
    "cudaMallocFromPoolAsync", "cudaMallocHost", "cudaMallocManaged", "cudaMallocMipmappedArray", "cudaMallocPitch",
    "cudaMemAdvise", "cudaMemDiscardAndPrefetchBatchAsync", "cudaMemDiscardBatchAsync", "cudaMemGetDefaultMemPool",
    "cudaMemGetInfo", "cudaMemGetMemPool", "cudaMemPoolCreate", "cudaMemPoolDestroy", "cudaMemPoolExportPointer",
    "cudaMemPoolExportToShareableHandle", "cudaMemPoolGetAccess", "cudaMemPoolGetAttribute",
    "cudaMemPoolImportFromShareableHandle", "cudaMemPoolImportPointer", "cudaMemPoolSetAccess",
    "cudaMemPoolSetAttribute", "cudaMemPoolTrimTo", "cudaMemPrefetchAsync", "cudaMemPrefetchBatchAsync",
    "cudaMemRangeGetAttribute", "cudaMemRangeGetAttributes", "cudaMemSetMemPool", "cudaMemcpy", "cudaMemcpy2D",
    "cudaMemcpy2DArrayToArray", "cudaMemcpy2DAsync", "cudaMemcpy2DFromArray", "cudaMemcpy2DFromArrayAsync",
    "cudaMemcpy2DToArray", "cudaMemcpy2DToArrayAsync", "cudaMemcpy3D", "cudaMemcpy3DAsync",
    "cudaMemcpy3DBatchAsync", "cudaMemcpy3DPeer", "cudaMemcpy3DPeerAsync", "cudaMemcpyArrayToArray",
    "cudaMemcpyAsync", "cudaMemcpyBatchAsync", "cudaMemcpyFromArray", "cudaMemcpyFromArrayAsync",
    "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync", "cudaMemcpyPeer", "cudaMemcpyPeerAsync",
    "cudaMemcpyToArray", "cudaMemcpyToArrayAsync", "cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync", "cudaMemset",
    "cudaMemset2D", "cudaMemset2DAsync", "cudaMemset3D", "cudaMemset3DAsync", "cudaMemsetAsync",
    "cudaMipmappedArrayGetMemoryRequirements", "cudaMipmappedArrayGetSparseProperties",
    "cudaOccupancyAvailableDynamicSMemPerBlock", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "cudaOccupancyMaxActiveClusters",
    "cudaOccupancyMaxPotentialClusterSize", "cudaPeekAtLastError", "cudaPointerGetAttributes", "cudaProfilerStart",
    "cudaProfilerStop", "cudaRuntimeGetVersion", "cudaSetDevice", "cudaSetDeviceFlags", "cudaSetValidDevices",
    "cudaSignalExternalSemaphoresAsync", "cudaStreamAddCallback", "cudaStreamAttachMemAsync",
    "cudaStreamBeginCapture", "cudaStreamBeginCaptureToGraph", "cudaStreamCopyAttributes", "cudaStreamCreate",
    "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cudaStreamDestroy", "cudaStreamEndCapture",
    "cudaStreamGetAttribute", "cudaStreamGetCaptureInfo", "cudaStreamGetDevice", "cudaStreamGetFlags",
    "cudaStreamGetId", "cudaStreamGetPriority", "cudaStreamIsCapturing", "cudaStreamQuery",
    "cudaStreamSetAttribute", "cudaStreamSynchronize", "cudaStreamUpdateCaptureDependencies", "cudaStreamWaitEvent",
    "cudaThreadExchangeStreamCaptureMode", "cudaUserObjectCreate", "cudaUserObjectRelease", "cudaUserObjectRetain",
    "cudaWaitExternalSemaphoresAsync",
};
// clang-format on
inline constexpr std::size_t kCallCount = sizeof(kCallNames) / sizeof(kCallNames[0]);

std::uint16_t no_such_api_function();  // not constexpr and nowhere defined: reaching it ends the compilation

/// The number of an API function; a name that is not in the list does not compile.
consteval std::uint16_t call(const char* name) {
  for (std::size_t i = 0; i < kCallCount; ++i) {
    const char* a = kCallNames[i];
    const char* b = name;
    while (*a && *a == *b) ++a, ++b;
    if (*a == *b) return static_cast<std::uint16_t>(i);
  }
  return no_such_api_function();
}

}  // namespace cudalabs::vgpu::wire
