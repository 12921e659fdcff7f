// The calls, by what the library looks at before it asks the server for anything.
#include "vgpu/cudart/server/client_answers.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "vgpu/cudart/call_names.h"

namespace cudalabs::vgpu {
namespace {

using Answers = std::uint8_t;
constexpr Answers kDone = 1;         // success, without the device
constexpr Answers kNoRoom = 2;       // the host, or its numbers, have no room for it
constexpr Answers kNotFound = 4;     // there is no such kernel or variable
constexpr Answers kUnsupported = 8;  // the virtual GPU does not have it
constexpr Answers kGiven = 16;       // an error of the server's
constexpr Answers kShows = 32;       // an earlier error
constexpr Answers kNoObject = 64;    // there is no such array, texture or surface, or none of this kind

/// For the arguments of a call, whichever it is: who claims such a refusal has gained nothing.
constexpr cudaError_t kRefusals[] = {
    cudaErrorInvalidValue, cudaErrorInvalidPitchValue, cudaErrorInvalidMemcpyDirection, cudaErrorInvalidDevice,
    cudaErrorInvalidClusterSize, cudaErrorMissingConfiguration, cudaErrorUnsupportedLimit,
    cudaErrorHostMemoryAlreadyRegistered, cudaErrorHostMemoryNotRegistered,
    // Of stream capture, which is the library's own affair, and of graphs.
    cudaErrorIllegalState, cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated,
    cudaErrorStreamCaptureMerge, cudaErrorStreamCaptureUnmatched, cudaErrorStreamCaptureUnjoined,
    cudaErrorStreamCaptureIsolation, cudaErrorStreamCaptureImplicit, cudaErrorCapturedEvent,
    cudaErrorStreamCaptureWrongThread, cudaErrorGraphExecUpdateFailure};
constexpr cudaError_t kNotFounds[] = {cudaErrorInvalidDeviceFunction, cudaErrorInvalidSymbol,
                                      cudaErrorInvalidKernelImage,    cudaErrorCudartUnloading,
                                      cudaErrorSymbolNotFound,        cudaErrorFileNotFound};
constexpr cudaError_t kNoObjects[] = {cudaErrorInvalidResourceHandle, cudaErrorInvalidChannelDescriptor,
                                      cudaErrorInvalidNormSetting, cudaErrorInvalidFilterSetting};
/// What a call may have ended with that has no note of its own.
constexpr cudaError_t kUnnoted[] = {cudaErrorNotReady, cudaErrorNotPermitted,        cudaErrorInvalidResourceHandle,
                                    cudaErrorNoDevice, cudaErrorInitializationError, cudaErrorMemoryAllocation};

consteval std::array<Answers, wire::kCallCount> answers_by_call() {
  std::array<Answers, wire::kCallCount> answers{};
  const auto may = [&](Answers what, std::initializer_list<std::uint16_t> calls) {
    for (const std::uint16_t call : calls) answers[call] |= what;
  };
  using wire::call;
#define CUDALABS_UNSUPPORTED(name) answers[call(#name)] = kUnsupported;
#include "vgpu/cudart/include/cudalabs_device/unsupported_names.h"
#undef CUDALABS_UNSUPPORTED
  may(kUnsupported,
      {call("cudaMemcpy3D"), call("cudaMemcpy3DAsync"), call("cudaMemcpy3DPeer"), call("cudaMemcpy3DPeerAsync")});
  may(kDone | kNotFound | kNoObject | kGiven,
      {call("cudaMemcpyToArray"), call("cudaMemcpyToArrayAsync"), call("cudaMemcpyFromArray"),
       call("cudaMemcpyFromArrayAsync"), call("cudaMemcpy2DToArray"), call("cudaMemcpy2DToArrayAsync"),
       call("cudaMemcpy2DFromArray"), call("cudaMemcpy2DFromArrayAsync"), call("cudaFreeArray"),
       call("cudaArrayGetInfo"), call("cudaGetChannelDesc"), call("cudaDestroyTextureObject"),
       call("cudaDestroySurfaceObject"), call("cudaGetTextureObjectResourceDesc"),
       call("cudaGetTextureObjectTextureDesc"), call("cudaGetSurfaceObjectResourceDesc")});
  may(kUnsupported | kNoRoom | kNoObject, {call("cudaMallocArray"), call("cudaMalloc3DArray"),
                                           call("cudaCreateTextureObject"), call("cudaCreateSurfaceObject")});
  may(kNoObject,
      {call("cudaMemcpy3D"), call("cudaMemcpy3DAsync"), call("cudaMemcpy3DPeer"), call("cudaMemcpy3DPeerAsync")});
  may(kNoRoom, {call("cudaMemcpyToArrayAsync"), call("cudaMemcpyFromArrayAsync"), call("cudaMemcpy2DToArrayAsync"),
                call("cudaMemcpy2DFromArrayAsync")});
  may(kShows, {call("cudaGetLastError"), call("cudaPeekAtLastError")});
  may(kDone, {call("cudaProfilerStart"),
              call("cudaProfilerStop"),
              call("cudaFree"),
              call("cudaFreeAsync"),
              call("cudaFreeHost"),
              call("cudaHostUnregister"),
              call("cudaCtxResetPersistingL2Cache"),
              call("cudaDeviceSetSharedMemConfig"),
              call("cudaDeviceSetCacheConfig"),
              call("cudaDeviceGetStreamPriorityRange"),
              call("cudaMalloc"),
              call("cudaMallocAsync"),
              call("cudaMallocPitch"),
              call("cudaMalloc3D"),
              call("cudaGetDeviceCount"),
              call("cudaGetDevice"),
              call("cudaSetDevice"),
              call("cudaInitDevice"),
              call("cudaSetValidDevices"),
              call("cudaGetDeviceProperties"),
              call("cudaDeviceGetAttribute"),
              call("cudaChooseDevice"),
              call("cudaSetDeviceFlags"),
              call("cudaGetDeviceFlags"),
              call("cudaDeviceGetLimit"),
              call("cudaDeviceSetLimit"),
              call("cudaDeviceGetCacheConfig"),
              call("cudaDeviceGetSharedMemConfig"),
              call("cudaDeviceGetPCIBusId"),
              call("cudaDeviceGetByPCIBusId"),
              call("cudaDeviceCanAccessPeer"),
              call("cudaMemPrefetchAsync"),
              call("cudaMemAdvise"),
              call("cudaStreamAttachMemAsync"),
              call("cudaMallocHost"),
              call("cudaHostAlloc"),
              call("cudaHostRegister"),
              call("cudaHostGetDevicePointer"),
              call("cudaHostGetFlags"),
              call("cudaDeviceGetDefaultMemPool"),
              call("cudaDeviceGetMemPool"),
              call("cudaDeviceSetMemPool"),
              call("cudaMemPoolCreate"),
              call("cudaMemPoolDestroy"),
              call("cudaMemPoolGetAttribute"),
              call("cudaMemPoolSetAttribute"),
              call("cudaMemPoolTrimTo"),
              call("cudaMallocFromPoolAsync"),
              call("cudaPointerGetAttributes"),
              call("cudaMemset"),
              call("cudaMemsetAsync"),
              call("cudaMemset2D"),
              call("cudaMemset2DAsync"),
              call("cudaMemset3D"),
              call("cudaMemset3DAsync"),
              call("cudaMemcpy3D"),
              call("cudaMemcpy3DAsync"),
              call("cudaMemcpy3DPeer"),
              call("cudaMemcpy3DPeerAsync"),
              call("cudaLaunchHostFunc"),
              call("cudaStreamAddCallback")});
  may(kNoRoom,
      {call("cudaMemPoolCreate"), call("cudaMallocFromPoolAsync"), call("cudaMallocPitch"), call("cudaMalloc3D"),
       call("cudaMallocManaged"), call("cudaMallocHost"), call("cudaHostAlloc"), call("cudaHostRegister"),
       call("cudaMemcpyAsync"), call("cudaMemcpy2DAsync"), call("cudaMemcpyPeerAsync"), call("cudaMemcpyToSymbolAsync"),
       call("cudaMemcpyFromSymbolAsync"), call("cudaMemcpy3DAsync"), call("cudaMemcpy3DPeerAsync")});
  may(kGiven,
      {call("cudaFreeHost"), call("cudaHostUnregister"), call("cudaLaunchHostFunc"), call("cudaStreamAddCallback")});
  may(kDone | kNotFound | kGiven,
      {call("cudaMemcpy"), call("cudaMemcpyAsync"), call("cudaMemcpy2D"), call("cudaMemcpy2DAsync"),
       call("cudaMemcpyPeer"), call("cudaMemcpyPeerAsync"), call("cudaMemcpyToSymbol"), call("cudaMemcpyToSymbolAsync"),
       call("cudaMemcpyFromSymbol"), call("cudaMemcpyFromSymbolAsync"), call("cudaGetSymbolAddress"),
       call("cudaGetSymbolSize"), call("cudaFuncGetName"), call("cudaFuncGetParamInfo"), call("cudaFuncSetCacheConfig"),
       call("cudaFuncSetSharedMemConfig")});
  may(kNotFound | kGiven,
      {call("cudaLaunchKernel"), call("cudaLaunchKernelExC"), call("cudaLaunchCooperativeKernel"),
       call("cudaFuncGetAttributes"), call("cudaFuncSetAttribute"), call("cudaOccupancyAvailableDynamicSMemPerBlock"),
       call("cudaOccupancyMaxActiveBlocksPerMultiprocessor"),
       call("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags")});
  may(kDone | kNoRoom | kNotFound | kNoObject | kGiven,
      {call("cudaLibraryUnload"), call("cudaLibraryGetKernel"), call("cudaLibraryGetKernelCount"),
       call("cudaLibraryEnumerateKernels"), call("cudaLibraryGetGlobal"), call("cudaLibraryGetManaged"),
       call("cudaLibraryGetUnifiedFunction"), call("cudaGetFuncBySymbol")});
  may(kDone | kNoRoom | kNotFound | kGiven | kUnsupported,
      {call("cudaLibraryLoadData"), call("cudaLibraryLoadFromFile")});
  may(kNotFound | kGiven, {call("cudaKernelSetAttributeForDevice")});
  may(kDone | kNoRoom, {call("cudaUserObjectCreate"), call("cudaUserObjectRetain"), call("cudaUserObjectRelease")});
  may(kDone | kNotFound | kNoObject | kNoRoom | kGiven | kUnsupported,
      {call("cudaMemcpyBatchAsync"), call("cudaMemcpy3DBatchAsync"), call("cudaMemcpyArrayToArray"),
       call("cudaMemcpy2DArrayToArray")});
  may(kNoObject, {call("cudaArrayGetMemoryRequirements"), call("cudaArrayGetPlane")});
  may(kDone | kNoRoom | kNoObject | kGiven,
      {call("cudaMemDiscardBatchAsync"), call("cudaMemDiscardAndPrefetchBatchAsync"), call("cudaMemRangeGetAttribute"),
       call("cudaMemRangeGetAttributes"), call("cudaMemAdvise"), call("cudaMemPrefetchAsync"),
       call("cudaMemPrefetchBatchAsync")});
  may(kDone | kUnsupported, {call("cudaMemPrefetchBatchAsync"), call("cudaMemPoolGetAccess"),
                             call("cudaMemPoolSetAccess"), call("cudaMemGetDefaultMemPool"), call("cudaMemGetMemPool"),
                             call("cudaMemSetMemPool"), call("cudaDeviceGetTexture1DLinearMaxWidth"),
                             call("cudaGetDriverEntryPoint"), call("cudaGetDriverEntryPointByVersion")});
  // Graphs live in the library; what of them the device does is asked for when they are launched.
  for (std::size_t i = 0; i < wire::kCallCount; ++i) {
    const std::string_view name = wire::kCallNames[i];
    if (name.starts_with("cudaGraph") && !name.starts_with("cudaGraphics") && answers[i] != kUnsupported)
      answers[i] |= kDone | kNoRoom | kNotFound | kNoObject | kGiven | kUnsupported;
  }
  may(kDone | kGiven,
      {call("cudaThreadExchangeStreamCaptureMode"), call("cudaStreamBeginCapture"),
       call("cudaStreamBeginCaptureToGraph"), call("cudaStreamEndCapture"), call("cudaDeviceGetGraphMemAttribute"),
       call("cudaDeviceSetGraphMemAttribute"), call("cudaDeviceGraphMemTrim")});
  return answers;
}

constexpr std::array<Answers, wire::kCallCount> kAnswers = answers_by_call();

bool is_one_of(const auto& errors, cudaError_t error) {
  return std::ranges::find(errors, error) != std::end(errors);
}

}  // namespace

bool client_may_answer(std::uint16_t call, cudaError_t status, Given given) {
  const auto has = [&](Answers what) { return (kAnswers[call] & what) != 0; };
  if (status == cudaSuccess) return has(kDone | kShows);
  if (call == 0 || has(kShows)) return false;
  return given == Given::always || is_one_of(kRefusals, status) ||
         (has(kNoRoom) && status == cudaErrorMemoryAllocation) || (has(kNotFound) && is_one_of(kNotFounds, status)) ||
         (has(kNoObject) && is_one_of(kNoObjects, status)) || (has(kUnsupported) && status == cudaErrorNotSupported) ||
         (has(kGiven) && given != Given::never);
}

bool client_may_show(std::uint16_t call, cudaError_t error, Given given) {
  return (kAnswers[call] & kShows) != 0 &&
         (given != Given::never || error == cudaErrorNotSupported || is_one_of(kRefusals, error) ||
          is_one_of(kNoObjects, error) || is_one_of(kNotFounds, error) || is_one_of(kUnnoted, error));
}

}  // namespace cudalabs::vgpu
