// The default streams of threads, and the runtime's calls that are in them.
#include "vgpu/cudart/client/per_thread.h"

#include <atomic>

#include "vgpu/cudart/client/capture.h"
#include "vgpu/cudart/client/graph_exec.h"
#include "vgpu/cudart/client/own_call.h"

namespace cudalabs::vgpu::client {
namespace {

thread_local constinit const CallSite* the_site = nullptr;
thread_local constinit std::uint64_t the_stream = 0;  // this thread's; 0: it has not used one
std::atomic<std::uint64_t> threads = 0;
pthread_key_t at_thread_end;
pthread_once_t once = PTHREAD_ONCE_INIT;

/// The stream goes with its thread. What it was given goes on.
void end_stream(void* handle) {
  if (is_forked()) return;
  const Lock lock;
  Client& self = client();
  if (!self.connected()) return;
  const OwnCall own(self, 0, 0);
  auto* const stream = static_cast<cudaStream_t>(handle);
  leave_capture(stream);
  before_stream_goes(self, stream);
  self.ask(wire::Op::stream_destroy, wire::Handle{stream_id(stream)});
}

}  // namespace

std::uint64_t stream_of_thread() {
  if (the_stream != 0) return the_stream;
  the_stream = wire::per_thread_stream(++threads);
  pthread_once(&once, [] { pthread_key_create(&at_thread_end, end_stream); });
  pthread_setspecific(at_thread_end, reinterpret_cast<void*>(the_stream));
  return the_stream;
}

const CallSite* site_of_per_thread_call() {
  return the_site;
}

PerThreadCall::PerThreadCall(CallSite site) : site_(site) {
  the_site = &site_;
}

PerThreadCall::~PerThreadCall() {
  the_site = nullptr;
}

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                          size_t shared_bytes, cudaStream_t stream);

CUDALABS_PER_THREAD(__cudaLaunchKernel, _ptsz, 6)
CUDALABS_PER_THREAD(cudaEventRecord, _ptsz, 2)
CUDALABS_PER_THREAD(cudaEventRecordWithFlags, _ptsz, 3)
CUDALABS_PER_THREAD(cudaFreeAsync, _ptsz, 2)
CUDALABS_PER_THREAD(cudaGetDriverEntryPoint, _ptsz, 4)
CUDALABS_PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz, 5)
CUDALABS_PER_THREAD(cudaGraphInstantiateWithParams, _ptsz, 3)
CUDALABS_PER_THREAD(cudaGraphLaunch, _ptsz, 2)
CUDALABS_PER_THREAD(cudaGraphUpload, _ptsz, 2)
CUDALABS_PER_THREAD(cudaLaunchCooperativeKernel, _ptsz, 6)
CUDALABS_PER_THREAD(cudaLaunchHostFunc, _ptsz, 3)
CUDALABS_PER_THREAD(cudaLaunchKernel, _ptsz, 6)
CUDALABS_PER_THREAD(cudaLaunchKernelExC, _ptsz, 3)
CUDALABS_PER_THREAD(cudaMallocAsync, _ptsz, 3)
CUDALABS_PER_THREAD(cudaMallocFromPoolAsync, _ptsz, 4)
CUDALABS_PER_THREAD(cudaMemDiscardAndPrefetchBatchAsync, _ptsz, 8)
CUDALABS_PER_THREAD(cudaMemDiscardBatchAsync, _ptsz, 5)
CUDALABS_PER_THREAD(cudaMemPrefetchBatchAsync, _ptsz, 8)
CUDALABS_PER_THREAD(cudaMemcpy, _ptds, 4)
CUDALABS_PER_THREAD(cudaMemcpy2D, _ptds, 7)
CUDALABS_PER_THREAD(cudaMemcpy2DArrayToArray, _ptds, 9)
CUDALABS_PER_THREAD(cudaMemcpy2DAsync, _ptsz, 8)
CUDALABS_PER_THREAD(cudaMemcpy2DFromArray, _ptds, 8)
CUDALABS_PER_THREAD(cudaMemcpy2DFromArrayAsync, _ptsz, 9)
CUDALABS_PER_THREAD(cudaMemcpy2DToArray, _ptds, 8)
CUDALABS_PER_THREAD(cudaMemcpy2DToArrayAsync, _ptsz, 9)
CUDALABS_PER_THREAD(cudaMemcpy3D, _ptds, 1)
CUDALABS_PER_THREAD(cudaMemcpy3DAsync, _ptsz, 2)
CUDALABS_PER_THREAD(cudaMemcpy3DBatchAsync, _ptsz, 4)
CUDALABS_PER_THREAD(cudaMemcpy3DPeer, _ptds, 1)
CUDALABS_PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz, 2)
CUDALABS_PER_THREAD(cudaMemcpyArrayToArray, _ptds, 8)
CUDALABS_PER_THREAD(cudaMemcpyAsync, _ptsz, 5)
CUDALABS_PER_THREAD(cudaMemcpyBatchAsync, _ptsz, 8)
CUDALABS_PER_THREAD(cudaMemcpyFromArray, _ptds, 6)
CUDALABS_PER_THREAD(cudaMemcpyFromArrayAsync, _ptsz, 7)
CUDALABS_PER_THREAD(cudaMemcpyFromSymbol, _ptds, 5)
CUDALABS_PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz, 6)
CUDALABS_PER_THREAD(cudaMemcpyToArray, _ptds, 6)
CUDALABS_PER_THREAD(cudaMemcpyToArrayAsync, _ptsz, 7)
CUDALABS_PER_THREAD(cudaMemcpyToSymbol, _ptds, 5)
CUDALABS_PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz, 6)
CUDALABS_PER_THREAD(cudaMemset, _ptds, 3)
CUDALABS_PER_THREAD(cudaMemset2D, _ptds, 5)
CUDALABS_PER_THREAD(cudaMemset2DAsync, _ptsz, 6)
CUDALABS_PER_THREAD(cudaMemset3D, _ptds, 3)
CUDALABS_PER_THREAD(cudaMemset3DAsync, _ptsz, 4)
CUDALABS_PER_THREAD(cudaMemsetAsync, _ptsz, 4)
CUDALABS_PER_THREAD(cudaStreamAddCallback, _ptsz, 4)
CUDALABS_PER_THREAD(cudaStreamAttachMemAsync, _ptsz, 4)
CUDALABS_PER_THREAD(cudaStreamBeginCapture, _ptsz, 2)
CUDALABS_PER_THREAD(cudaStreamBeginCaptureToGraph, _ptsz, 6)
CUDALABS_PER_THREAD(cudaStreamCopyAttributes, _ptsz, 2)
CUDALABS_PER_THREAD(cudaStreamEndCapture, _ptsz, 2)
CUDALABS_PER_THREAD(cudaStreamGetAttribute, _ptsz, 3)
CUDALABS_PER_THREAD(cudaStreamGetCaptureInfo, _ptsz, 7)
CUDALABS_PER_THREAD(cudaStreamGetDevice, _ptsz, 2)
CUDALABS_PER_THREAD(cudaStreamGetFlags, _ptsz, 2)
CUDALABS_PER_THREAD(cudaStreamGetId, _ptsz, 2)
CUDALABS_PER_THREAD(cudaStreamGetPriority, _ptsz, 2)
CUDALABS_PER_THREAD(cudaStreamIsCapturing, _ptsz, 2)
CUDALABS_PER_THREAD(cudaStreamQuery, _ptsz, 1)
CUDALABS_PER_THREAD(cudaStreamSetAttribute, _ptsz, 3)
CUDALABS_PER_THREAD(cudaStreamSynchronize, _ptsz, 1)
CUDALABS_PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz, 5)
CUDALABS_PER_THREAD(cudaStreamWaitEvent, _ptsz, 3)

}  // namespace cudalabs::vgpu::client
