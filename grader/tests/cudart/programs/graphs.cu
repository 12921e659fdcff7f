// Graphs, captured and made node by node, launched again and again, updated, and with memory of their own.
#include "check.h"

constexpr int kCount = 256;

__global__ void add(int* a, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) a[i] += value;
}

__global__ void sum_of(const int* a, const int* b, int* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) c[i] = a[i] + b[i];
}

static bool all_are(const int* values, int expected) {
  for (int i = 0; i < kCount; ++i)
    if (values[i] != expected) return false;
  return true;
}

static void count_call(void* calls) {
  ++*static_cast<int*>(calls);
}

int main() {
  cudaStream_t stream, other;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t forked, joined;
  CHECK(cudaEventCreate(&forked));
  CHECK(cudaEventCreate(&joined));
  int *a, *b, *c, *host;
  const size_t bytes = kCount * sizeof(int);
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMalloc(&c, bytes));
  CHECK(cudaMallocHost(&host, bytes));

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(a, 0, bytes, stream));
  add<<<2, 128, 0, stream>>>(a, 3);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(host, a, bytes, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(all_are(host, 3), "captured");
  host[0] = 0;
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(all_are(host, 3), "again");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  int calls = 0;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaEventRecord(forked, stream));
  CHECK(cudaStreamWaitEvent(other, forked, 0));
  CHECK(cudaMemsetAsync(a, 0, bytes, stream));
  add<<<2, 128, 0, stream>>>(a, 1);
  CHECK(cudaMemsetAsync(b, 0, bytes, other));
  add<<<2, 128, 0, other>>>(b, 2);
  CHECK(cudaEventRecord(joined, other));
  CHECK(cudaStreamWaitEvent(stream, joined, 0));
  sum_of<<<2, 128, 0, stream>>>(a, b, c);
  CHECK(cudaMemcpyAsync(host, c, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaLaunchHostFunc(stream, count_call, &calls));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK(cudaGraphLaunch(executable, other));
  CHECK(cudaStreamSynchronize(other));
  expect(all_are(host, 3) && calls == 1, "forked and joined");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, kernel, copy;
  cudaMemsetParams fill_parameters = {};
  fill_parameters.dst = a;
  fill_parameters.value = 5;
  fill_parameters.elementSize = sizeof(int);
  fill_parameters.width = kCount;
  fill_parameters.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &fill_parameters));
  int value = 7;
  void* arguments[] = {&a, &value};
  cudaKernelNodeParams kernel_parameters = {};
  kernel_parameters.func = reinterpret_cast<void*>(add);
  kernel_parameters.gridDim = dim3(2);
  kernel_parameters.blockDim = dim3(128);
  kernel_parameters.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &kernel_parameters));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, a, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cudaGraphUpload(executable, stream));
  CHECK(cudaGraphLaunch(executable, 0));
  CHECK(cudaDeviceSynchronize());
  expect(all_are(host, 12), "node by node");
  value = 10;
  CHECK(cudaGraphKernelNodeSetParams(kernel, &kernel_parameters));
  cudaGraphExecUpdateResultInfo result;
  CHECK(cudaGraphExecUpdate(executable, graph, &result));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(all_are(host, 15) && result.result == cudaGraphExecUpdateSuccess, "updated");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  int* own;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK(cudaMallocAsync(&own, bytes, stream));
  CHECK(cudaMemsetAsync(own, 0, bytes, stream));
  add<<<2, 128, 0, stream>>>(own, 4);
  CHECK(cudaMemcpyAsync(host, own, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(own, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(all_are(host, 4), "memory of the graph");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  int* unified;
  CHECK(cudaMallocManaged(&unified, bytes));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<2, 128, 0, stream>>>(unified, 1);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < kCount; ++i) unified[i] = 20;
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(all_are(unified, 21), "in unified memory");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  CHECK(cudaFree(unified));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(c));
  CHECK(cudaFree(b));
  CHECK(cudaFree(a));
  CHECK(cudaEventDestroy(joined));
  CHECK(cudaEventDestroy(forked));
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaStreamDestroy(stream));
}
