// Mistakes in graphs, one a run: each is found where the node was captured or added.
#include <cstdlib>

#include "check.h"

constexpr int kCount = 64;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void increase(int* a) {
  const int i = threadIdx.x;
  if (i < kCount) a[i] += 1;
}

static cudaGraph_t captured(cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

static void launch(cudaGraph_t graph, cudaStream_t stream) {
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  cudaError_t status = cudaGraphLaunch(executable, stream);
  if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
  std::printf("%s\n", cudaGetErrorName(status));
}

static void branches(int* a, cudaStream_t stream, cudaStream_t other) {
  cudaEvent_t forked, joined;
  CHECK(cudaEventCreate(&forked));
  CHECK(cudaEventCreate(&joined));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(forked, stream));
  CHECK(cudaStreamWaitEvent(other, forked, 0));
  increase<<<1, kCount, 0, stream>>>(a);  // first branch
  increase<<<1, kCount, 0, other>>>(a);   // second branch
  CHECK(cudaEventRecord(joined, other));
  CHECK(cudaStreamWaitEvent(stream, joined, 0));
  launch(captured(stream), stream);
}

static void nodes(int* a, cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t first, second;
  void* arguments[] = {&a};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(increase);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(kCount);
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));  // first node
  cudaMemsetParams fill = {};
  fill.dst = a;
  fill.elementSize = 1;
  fill.width = kBytes;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&second, graph, nullptr, 0, &fill));  // second node
  launch(graph, stream);
}

static void freed(int* a, cudaStream_t stream) {
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  increase<<<1, kCount, 0, stream>>>(a);
  const cudaGraph_t graph = captured(stream);
  CHECK(cudaFree(a));  // freed
  launch(graph, stream);
}

static void freed_by_a_node(cudaStream_t stream) {
  int* own;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&own, kBytes, stream));
  CHECK(cudaMemsetAsync(own, 0, kBytes, stream));
  CHECK(cudaFreeAsync(own, stream));  // freed by a node
  increase<<<1, kCount, 0, stream>>>(own);
  launch(captured(stream), stream);
}

static void too_many_threads(int* a, cudaStream_t stream) {
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  increase<<<1, 4096, 0, stream>>>(a);  // too many threads
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

static void unwritten(cudaStream_t stream) {
  int* own;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&own, kBytes, stream));
  increase<<<1, kCount, 0, stream>>>(own);
  CHECK(cudaFreeAsync(own, stream));
  launch(captured(stream), stream);
}

static void read_too_early(int* a, cudaStream_t stream) {
  int* host;
  CHECK(cudaMallocHost(&host, kBytes));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(host, a, kBytes, cudaMemcpyDeviceToHost, stream));  // copied back
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, captured(stream), 0));
  CHECK(cudaGraphLaunch(executable, stream));
  volatile int first = host[0];  // reads too early
  static_cast<void>(first);
  std::printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
}

int main(int, char** words) {
  int* a;
  CHECK(cudaMalloc(&a, kBytes));
  CHECK(cudaMemset(a, 0, kBytes));
  cudaStream_t stream, other;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&other));
  switch (std::atoi(words[1])) {
    case 0:
      branches(a, stream, other);
      break;
    case 1:
      nodes(a, stream);
      break;
    case 2:
      freed(a, stream);
      break;
    case 3:
      freed_by_a_node(stream);
      break;
    case 4:
      too_many_threads(a, stream);
      break;
    case 5:
      unwritten(stream);
      break;
    default:
      read_too_early(a, stream);
  }
}
