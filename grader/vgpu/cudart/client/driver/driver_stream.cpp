// The driver API: streams, events and functions on the host. Handles are the runtime's.
#include "vgpu/cudart/client/driver/driver_context.h"
#include "vgpu/cudart/client/per_thread.h"

namespace cudalabs::vgpu::client::driver {

CUDALABS_API int cuStreamCreate(cudaStream_t* stream, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuStreamCreate");
  return in_context([&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUDALABS_API int cuStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  CUDALABS_DRIVER_CALL("cuStreamCreateWithPriority");
  return in_context([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUDALABS_API int cuStreamDestroy_v2(cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuStreamDestroy_v2");
  return in_context([&] { return cudaStreamDestroy(stream); });
}

CUDALABS_API int cuStreamSynchronize(cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuStreamSynchronize");
  return in_context([&] { return cudaStreamSynchronize(stream); });
}

CUDALABS_API int cuStreamQuery(cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuStreamQuery");
  return in_context([&] { return cudaStreamQuery(stream); });
}

CUDALABS_API int cuStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuStreamWaitEvent");
  return in_context([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUDALABS_API int cuStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  CUDALABS_DRIVER_CALL("cuStreamGetFlags");
  return in_context([&] { return cudaStreamGetFlags(stream, flags); });
}

CUDALABS_API int cuStreamGetPriority(cudaStream_t stream, int* priority) {
  CUDALABS_DRIVER_CALL("cuStreamGetPriority");
  return in_context([&] { return cudaStreamGetPriority(stream, priority); });
}

CUDALABS_API int cuStreamGetCtx(cudaStream_t, Context** context) {
  return in_context([&] { return context ? (*context = current_context(), kSuccess) : kInvalidValue; });
}

CUDALABS_API int cuStreamGetCtx_v2(cudaStream_t, Context** context, void** green) {
  return in_context([&] {
    if (!context) return kInvalidValue;
    *context = current_context();
    if (green) *green = nullptr;  // no stream is one of a part of the device
    return kSuccess;
  });
}

// Its CUresult and the runtime's cudaError_t are one number where such a function can get them.
CUDALABS_API int cuStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                     unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuStreamAddCallback");
  return in_context([&] { return cudaStreamAddCallback(stream, callback, data, flags); });
}

CUDALABS_API int cuLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  CUDALABS_DRIVER_CALL("cuLaunchHostFunc");
  return in_context([&] { return cudaLaunchHostFunc(stream, function, data); });
}

CUDALABS_API int cuEventCreate(cudaEvent_t* event, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuEventCreate");
  return in_context([&] { return cudaEventCreateWithFlags(event, flags); });
}

CUDALABS_API int cuEventRecord(cudaEvent_t event, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuEventRecord");
  return in_context([&] { return cudaEventRecord(event, stream); });
}

CUDALABS_API int cuEventQuery(cudaEvent_t event) {
  CUDALABS_DRIVER_CALL("cuEventQuery");
  return in_context([&] { return cudaEventQuery(event); });
}

CUDALABS_API int cuEventSynchronize(cudaEvent_t event) {
  CUDALABS_DRIVER_CALL("cuEventSynchronize");
  return in_context([&] { return cudaEventSynchronize(event); });
}

CUDALABS_API int cuEventElapsedTime_v2(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  CUDALABS_DRIVER_CALL("cuEventElapsedTime_v2");
  return in_context([&] { return cudaEventElapsedTime(milliseconds, begin, end); });
}

CUDALABS_API int cuEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  CUDALABS_DRIVER_CALL("cuEventElapsedTime");
  return in_context([&] { return cudaEventElapsedTime(milliseconds, begin, end); });
}

CUDALABS_API int cuEventDestroy_v2(cudaEvent_t event) {
  CUDALABS_DRIVER_CALL("cuEventDestroy_v2");
  return in_context([&] { return cudaEventDestroy(event); });
}

CUDALABS_API int cuProfilerStart() {
  CUDALABS_DRIVER_CALL("cuProfilerStart");
  return in_context([] { return cudaProfilerStart(); });
}

CUDALABS_API int cuProfilerStop() {
  CUDALABS_DRIVER_CALL("cuProfilerStop");
  return in_context([] { return cudaProfilerStop(); });
}

CUDALABS_PER_THREAD(cuEventRecord, _ptsz, 2)
CUDALABS_PER_THREAD(cuLaunchHostFunc, _ptsz, 3)
CUDALABS_PER_THREAD(cuStreamAddCallback, _ptsz, 4)
CUDALABS_PER_THREAD(cuStreamGetCtx, _ptsz, 2)
CUDALABS_PER_THREAD(cuStreamGetCtx_v2, _ptsz, 3)
CUDALABS_PER_THREAD(cuStreamGetFlags, _ptsz, 2)
CUDALABS_PER_THREAD(cuStreamGetPriority, _ptsz, 2)
CUDALABS_PER_THREAD(cuStreamQuery, _ptsz, 1)
CUDALABS_PER_THREAD(cuStreamSynchronize, _ptsz, 1)
CUDALABS_PER_THREAD(cuStreamWaitEvent, _ptsz, 3)

}  // namespace cudalabs::vgpu::client::driver
