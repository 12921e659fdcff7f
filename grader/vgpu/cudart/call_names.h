// The API functions' names as numbers on the wire; one list for client, server and report.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudalabs::vgpu::wire {

// clang-format off
inline constexpr const char* kCallNames[] = {
    "", "cudaArrayGetInfo", "cudaArrayGetMemoryRequirements", "cudaArrayGetPlane", "cudaArrayGetSparseProperties",
    "cudaChooseDevice", "cudaCreateSurfaceObject", "cudaCreateTextureObject", "cudaCtxResetPersistingL2Cache",
    "cudaDestroyExternalMemory", "cudaDestroyExternalSemaphore", "cudaDestroySurfaceObject", "cudaDestroyTextureObject",
    "cudaDeviceCanAccessPeer", "cudaDeviceDisablePeerAccess", "cudaDeviceEnablePeerAccess",
    "cudaDeviceFlushGPUDirectRDMAWrites", "cudaDeviceGetAttribute", "cudaDeviceGetByPCIBusId",
    "cudaDeviceGetCacheConfig", "cudaDeviceGetDefaultMemPool", "cudaDeviceGetGraphMemAttribute",
    "cudaDeviceGetHostAtomicCapabilities", "cudaDeviceGetLimit", "cudaDeviceGetMemPool",
    "cudaDeviceGetNvSciSyncAttributes", "cudaDeviceGetP2PAtomicCapabilities", "cudaDeviceGetP2PAttribute",
    "cudaDeviceGetPCIBusId", "cudaDeviceGetSharedMemConfig", "cudaDeviceGetStreamPriorityRange",
    "cudaDeviceGetTexture1DLinearMaxWidth", "cudaDeviceGraphMemTrim", "cudaDeviceRegisterAsyncNotification",
    "cudaDeviceReset", "cudaDeviceSetCacheConfig", "cudaDeviceSetGraphMemAttribute", "cudaDeviceSetLimit",
    "cudaDeviceSetMemPool", "cudaDeviceSetSharedMemConfig", "cudaDeviceSynchronize",
    "cudaDeviceUnregisterAsyncNotification", "cudaDriverGetVersion", "cudaEGLStreamConsumerAcquireFrame",
    "cudaEGLStreamConsumerConnect", "cudaEGLStreamConsumerConnectWithFlags", "cudaEGLStreamConsumerDisconnect",
    "cudaEGLStreamConsumerReleaseFrame", "cudaEGLStreamProducerConnect", "cudaEGLStreamProducerDisconnect",
    "cudaEGLStreamProducerPresentFrame", "cudaEGLStreamProducerReturnFrame", "cudaEventCreate",
    "cudaEventCreateFromEGLSync", "cudaEventCreateWithFlags", "cudaEventDestroy", "cudaEventElapsedTime",
    "cudaEventQuery", "cudaEventRecord", "cudaEventRecordWithFlags", "cudaEventRecordWithFlags_ptsz",
    "cudaEventRecord_ptsz", "cudaEventSynchronize", "cudaExternalMemoryGetMappedBuffer",
    "cudaExternalMemoryGetMappedMipmappedArray", "cudaFree", "cudaFreeArray", "cudaFreeAsync", "cudaFreeAsync_ptsz",
    "cudaFreeHost", "cudaFreeMipmappedArray", "cudaFuncGetAttributes", "cudaFuncGetName", "cudaFuncGetParamInfo",
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig", "cudaGLGetDevices",
    "cudaGLMapBufferObject", "cudaGLMapBufferObjectAsync", "cudaGLRegisterBufferObject",
    "cudaGLSetBufferObjectMapFlags", "cudaGLSetGLDevice", "cudaGLUnmapBufferObject", "cudaGLUnmapBufferObjectAsync",
    "cudaGLUnregisterBufferObject", "cudaGetChannelDesc", "cudaGetDevice", "cudaGetDeviceCount", "cudaGetDeviceFlags",
    "cudaGetDeviceProperties", "cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion",
    "cudaGetDriverEntryPointByVersion_ptsz", "cudaGetDriverEntryPoint_ptsz", "cudaGetExportTable",
    "cudaGetFuncBySymbol", "cudaGetKernel", "cudaGetLastError", "cudaGetMipmappedArrayLevel",
    "cudaGetSurfaceObjectResourceDesc", "cudaGetSymbolAddress", "cudaGetSymbolSize", "cudaGetTextureObjectResourceDesc",
    "cudaGetTextureObjectResourceViewDesc", "cudaGetTextureObjectTextureDesc", "cudaGraphAddChildGraphNode",
    "cudaGraphAddDependencies", "cudaGraphAddEmptyNode", "cudaGraphAddEventRecordNode", "cudaGraphAddEventWaitNode",
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
    "cudaGraphExternalSemaphoresWaitNodeGetParams", "cudaGraphExternalSemaphoresWaitNodeSetParams", "cudaGraphGetEdges",
    "cudaGraphGetNodes", "cudaGraphGetRootNodes", "cudaGraphHostNodeGetParams", "cudaGraphHostNodeSetParams",
    "cudaGraphInstantiate", "cudaGraphInstantiateWithFlags", "cudaGraphInstantiateWithParams",
    "cudaGraphInstantiateWithParams_ptsz", "cudaGraphKernelNodeCopyAttributes", "cudaGraphKernelNodeGetAttribute",
    "cudaGraphKernelNodeGetParams", "cudaGraphKernelNodeSetAttribute", "cudaGraphKernelNodeSetParams",
    "cudaGraphLaunch", "cudaGraphLaunch_ptsz", "cudaGraphMemAllocNodeGetParams", "cudaGraphMemFreeNodeGetParams",
    "cudaGraphMemcpyNodeGetParams", "cudaGraphMemcpyNodeSetParams", "cudaGraphMemcpyNodeSetParams1D",
    "cudaGraphMemcpyNodeSetParamsFromSymbol", "cudaGraphMemcpyNodeSetParamsToSymbol", "cudaGraphMemsetNodeGetParams",
    "cudaGraphMemsetNodeSetParams", "cudaGraphNodeFindInClone", "cudaGraphNodeGetDependencies",
    "cudaGraphNodeGetDependentNodes", "cudaGraphNodeGetEnabled", "cudaGraphNodeGetType", "cudaGraphNodeSetEnabled",
    "cudaGraphNodeSetParams", "cudaGraphReleaseUserObject", "cudaGraphRemoveDependencies", "cudaGraphRetainUserObject",
    "cudaGraphUpload", "cudaGraphUpload_ptsz", "cudaGraphicsEGLRegisterImage", "cudaGraphicsGLRegisterBuffer",
    "cudaGraphicsGLRegisterImage", "cudaGraphicsMapResources", "cudaGraphicsResourceGetMappedEglFrame",
    "cudaGraphicsResourceGetMappedMipmappedArray", "cudaGraphicsResourceGetMappedPointer",
    "cudaGraphicsResourceSetMapFlags", "cudaGraphicsSubResourceGetMappedArray", "cudaGraphicsUnmapResources",
    "cudaGraphicsUnregisterResource", "cudaGraphicsVDPAURegisterOutputSurface", "cudaGraphicsVDPAURegisterVideoSurface",
    "cudaHostAlloc", "cudaHostGetDevicePointer", "cudaHostGetFlags", "cudaHostRegister", "cudaHostUnregister",
    "cudaImportExternalMemory", "cudaImportExternalSemaphore", "cudaInitDevice", "cudaIpcCloseMemHandle",
    "cudaIpcGetEventHandle", "cudaIpcGetMemHandle", "cudaIpcOpenEventHandle", "cudaIpcOpenMemHandle",
    "cudaKernelSetAttributeForDevice", "cudaLaunchCooperativeKernel", "cudaLaunchCooperativeKernel_ptsz",
    "cudaLaunchHostFunc", "cudaLaunchHostFunc_ptsz", "cudaLaunchKernel", "cudaLaunchKernelExC",
    "cudaLaunchKernelExC_ptsz", "cudaLaunchKernel_ptsz", "cudaLibraryEnumerateKernels", "cudaLibraryGetGlobal",
    "cudaLibraryGetKernel", "cudaLibraryGetKernelCount", "cudaLibraryGetManaged", "cudaLibraryGetUnifiedFunction",
    "cudaLibraryLoadData", "cudaLibraryLoadFromFile", "cudaLibraryUnload", "cudaLogsCurrent", "cudaLogsDumpToFile",
    "cudaLogsDumpToMemory", "cudaLogsRegisterCallback", "cudaLogsUnregisterCallback", "cudaMalloc", "cudaMalloc3D",
    "cudaMalloc3DArray", "cudaMallocArray", "cudaMallocAsync", "cudaMallocAsync_ptsz", "cudaMallocFromPoolAsync",
    "cudaMallocFromPoolAsync_ptsz", "cudaMallocHost", "cudaMallocManaged", "cudaMallocMipmappedArray",
    "cudaMallocPitch", "cudaMemAdvise", "cudaMemDiscardAndPrefetchBatchAsync",
    "cudaMemDiscardAndPrefetchBatchAsync_ptsz", "cudaMemDiscardBatchAsync", "cudaMemDiscardBatchAsync_ptsz",
    "cudaMemGetDefaultMemPool", "cudaMemGetInfo", "cudaMemGetMemPool", "cudaMemPoolCreate", "cudaMemPoolDestroy",
    "cudaMemPoolExportPointer", "cudaMemPoolExportToShareableHandle", "cudaMemPoolGetAccess", "cudaMemPoolGetAttribute",
    "cudaMemPoolImportFromShareableHandle", "cudaMemPoolImportPointer", "cudaMemPoolSetAccess",
    "cudaMemPoolSetAttribute", "cudaMemPoolTrimTo", "cudaMemPrefetchAsync", "cudaMemPrefetchAsync_ptsz",
    "cudaMemPrefetchBatchAsync", "cudaMemPrefetchBatchAsync_ptsz", "cudaMemRangeGetAttribute",
    "cudaMemRangeGetAttributes", "cudaMemSetMemPool", "cudaMemcpy", "cudaMemcpy2D", "cudaMemcpy2DArrayToArray",
    "cudaMemcpy2DArrayToArray_ptds", "cudaMemcpy2DAsync", "cudaMemcpy2DAsync_ptsz", "cudaMemcpy2DFromArray",
    "cudaMemcpy2DFromArrayAsync", "cudaMemcpy2DFromArrayAsync_ptsz", "cudaMemcpy2DFromArray_ptds",
    "cudaMemcpy2DToArray", "cudaMemcpy2DToArrayAsync", "cudaMemcpy2DToArrayAsync_ptsz", "cudaMemcpy2DToArray_ptds",
    "cudaMemcpy2D_ptds", "cudaMemcpy3D", "cudaMemcpy3DAsync", "cudaMemcpy3DAsync_ptsz", "cudaMemcpy3DBatchAsync",
    "cudaMemcpy3DBatchAsync_ptsz", "cudaMemcpy3DPeer", "cudaMemcpy3DPeerAsync", "cudaMemcpy3DPeerAsync_ptsz",
    "cudaMemcpy3DPeer_ptds", "cudaMemcpy3D_ptds", "cudaMemcpyArrayToArray", "cudaMemcpyArrayToArray_ptds",
    "cudaMemcpyAsync", "cudaMemcpyAsync_ptsz", "cudaMemcpyBatchAsync", "cudaMemcpyBatchAsync_ptsz",
    "cudaMemcpyFromArray", "cudaMemcpyFromArrayAsync", "cudaMemcpyFromArrayAsync_ptsz", "cudaMemcpyFromArray_ptds",
    "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync", "cudaMemcpyFromSymbolAsync_ptsz", "cudaMemcpyFromSymbol_ptds",
    "cudaMemcpyPeer", "cudaMemcpyPeerAsync", "cudaMemcpyToArray", "cudaMemcpyToArrayAsync",
    "cudaMemcpyToArrayAsync_ptsz", "cudaMemcpyToArray_ptds", "cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync",
    "cudaMemcpyToSymbolAsync_ptsz", "cudaMemcpyToSymbol_ptds", "cudaMemcpy_ptds", "cudaMemset", "cudaMemset2D",
    "cudaMemset2DAsync", "cudaMemset2DAsync_ptsz", "cudaMemset2D_ptds", "cudaMemset3D", "cudaMemset3DAsync",
    "cudaMemset3DAsync_ptsz", "cudaMemset3D_ptds", "cudaMemsetAsync", "cudaMemsetAsync_ptsz", "cudaMemset_ptds",
    "cudaMipmappedArrayGetMemoryRequirements", "cudaMipmappedArrayGetSparseProperties",
    "cudaOccupancyAvailableDynamicSMemPerBlock", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "cudaOccupancyMaxActiveClusters",
    "cudaOccupancyMaxPotentialClusterSize", "cudaPeekAtLastError", "cudaPointerGetAttributes", "cudaProfilerStart",
    "cudaProfilerStop", "cudaRuntimeGetVersion", "cudaSetDevice", "cudaSetDeviceFlags", "cudaSetValidDevices",
    "cudaSignalExternalSemaphoresAsync", "cudaSignalExternalSemaphoresAsync_ptsz", "cudaStreamAddCallback",
    "cudaStreamAddCallback_ptsz", "cudaStreamAttachMemAsync", "cudaStreamAttachMemAsync_ptsz", "cudaStreamBeginCapture",
    "cudaStreamBeginCaptureToGraph", "cudaStreamBeginCaptureToGraph_ptsz", "cudaStreamBeginCapture_ptsz",
    "cudaStreamCopyAttributes", "cudaStreamCopyAttributes_ptsz", "cudaStreamCreate", "cudaStreamCreateWithFlags",
    "cudaStreamCreateWithPriority", "cudaStreamDestroy", "cudaStreamEndCapture", "cudaStreamEndCapture_ptsz",
    "cudaStreamGetAttribute", "cudaStreamGetAttribute_ptsz", "cudaStreamGetCaptureInfo",
    "cudaStreamGetCaptureInfo_ptsz", "cudaStreamGetDevice", "cudaStreamGetDevice_ptsz", "cudaStreamGetFlags",
    "cudaStreamGetFlags_ptsz", "cudaStreamGetId", "cudaStreamGetId_ptsz", "cudaStreamGetPriority",
    "cudaStreamGetPriority_ptsz", "cudaStreamIsCapturing", "cudaStreamIsCapturing_ptsz", "cudaStreamQuery",
    "cudaStreamQuery_ptsz", "cudaStreamSetAttribute", "cudaStreamSetAttribute_ptsz", "cudaStreamSynchronize",
    "cudaStreamSynchronize_ptsz", "cudaStreamUpdateCaptureDependencies", "cudaStreamUpdateCaptureDependencies_ptsz",
    "cudaStreamWaitEvent", "cudaStreamWaitEvent_ptsz", "cudaThreadExchangeStreamCaptureMode", "cudaUserObjectCreate",
    "cudaUserObjectRelease", "cudaUserObjectRetain", "cudaVDPAUGetDevice", "cudaVDPAUSetVDPAUDevice",
    "cudaWaitExternalSemaphoresAsync", "cudaWaitExternalSemaphoresAsync_ptsz",
};
// clang-format on
inline constexpr std::size_t kCallCount = sizeof(kCallNames) / sizeof(kCallNames[0]);

/// Those of the driver API, which the runtime's answer: another list, since they are calls beside these.
inline constexpr const char* kDriverCallNames[] = {
    "",
#define CUDALABS_DRIVER_OFFERED(name) #name,
#define CUDALABS_DRIVER_UNSUPPORTED(name) #name,
#include "vgpu/cudart/driver_names.h"
#undef CUDALABS_DRIVER_OFFERED
#undef CUDALABS_DRIVER_UNSUPPORTED
};
inline constexpr std::size_t kDriverCallCount = sizeof(kDriverCallNames) / sizeof(kDriverCallNames[0]);

std::uint16_t no_such_api_function();  // not constexpr and nowhere defined: reaching it ends the compilation

consteval std::uint16_t number_in(const char* const* names, std::size_t count, const char* name) {
  for (std::size_t i = 0; i < count; ++i) {
    const char* a = names[i];
    const char* b = name;
    while (*a && *a == *b) ++a, ++b;
    if (*a == *b) return static_cast<std::uint16_t>(i);
  }
  return no_such_api_function();
}

/// The number of an API function; a name that is not in the list does not compile.
consteval std::uint16_t call(const char* name) {
  return number_in(kCallNames, kCallCount, name);
}
consteval std::uint16_t driver_call(const char* name) {
  return number_in(kDriverCallNames, kDriverCallCount, name);
}

}  // namespace cudalabs::vgpu::wire
