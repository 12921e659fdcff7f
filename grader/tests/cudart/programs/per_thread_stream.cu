// Compiled for a default stream of each thread: what two threads do in theirs. With an argument, a mistake.
#include <thread>

#include "check.h"

constexpr int kCount = 4096, kThreads = 256, kBlocks = kCount / kThreads;
constexpr size_t kBytes = kCount * sizeof(int);

__device__ int offset;

__global__ void set(int* a, int value) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void increase(int* a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] += offset;
}

static bool holds(const int* device, int value) {
  int host[kCount];
  CHECK(cudaMemcpy(host, device, kBytes, cudaMemcpyDeviceToHost));
  for (const int each : host)
    if (each != value) return false;
  return true;
}

/// All that a thread does is in its own default stream, without a wait in between.
static void work_alone(int first, bool* right) {
  int* a;
  CHECK(cudaMalloc(&a, kBytes));
  CHECK(cudaMemset(a, 0, kBytes));
  for (int i = 0; i < 4; ++i) {
    set<<<kBlocks, kThreads>>>(a, first + i);
    increase<<<kBlocks, kThreads>>>(a);
  }
  unsigned int flags = 1;
  CHECK(cudaStreamGetFlags(0, &flags));
  *right = holds(a, first + 4) && flags == cudaStreamDefault;
  CHECK(cudaFree(a));
}

static void set_in_graph(cudaGraphExec_t* executable, int* a, int value) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
  set<<<kBlocks, kThreads>>>(a, value);
  CHECK(cudaStreamEndCapture(0, &graph));
  CHECK(cudaGraphInstantiate(executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
}

/// The legacy default stream comes after the threads' streams, and they after it.
static void use_legacy_stream(int* a) {
  set<<<kBlocks, kThreads>>>(a, 1);
  set<<<kBlocks, kThreads, 0, cudaStreamLegacy>>>(a, 2);
  increase<<<kBlocks, kThreads>>>(a);
  expect(holds(a, 3), "before and after the legacy stream");
}

static void wait_for_event(int* a) {
  cudaEvent_t done;
  CHECK(cudaEventCreate(&done));
  set<<<kBlocks, kThreads>>>(a, 5);
  CHECK(cudaEventRecord(done));
  std::thread([=] {
    CHECK(cudaStreamWaitEvent(0, done));
    increase<<<kBlocks, kThreads>>>(a);
    CHECK(cudaStreamSynchronize(0));
  }).join();
  expect(holds(a, 6), "behind the other thread's event");
  CHECK(cudaEventDestroy(done));
}

static void call_names(int* a) {
  cudaGraphExec_t executable;
  set_in_graph(&executable, a, 7);
  CHECK(cudaGraphLaunch(executable, 0));
  expect(holds(a, 7), "captured and launched");
  CHECK(cudaGraphExecDestroy(executable));
  const int two = 2;
  CHECK(cudaMemcpyToSymbol(offset, &two, sizeof two));
  increase<<<kBlocks, kThreads>>>(a);
  expect(holds(a, 9), "a symbol");
  int* pooled;
  CHECK(cudaMallocAsync(&pooled, kBytes, 0));
  CHECK(cudaMemsetAsync(pooled, 0, kBytes));
  CHECK(cudaMemcpyAsync(a, pooled, kBytes, cudaMemcpyDeviceToDevice));
  CHECK(cudaFreeAsync(pooled, 0));
  expect(holds(a, 0), "memory of a pool");
  bool called = false;
  CHECK(cudaLaunchHostFunc(
      0, [](void* data) { *static_cast<bool*>(data) = true; }, &called));
  CHECK(cudaStreamSynchronize(0));
  expect(called, "a host function");
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(kBlocks);
  configuration.blockDim = dim3(kThreads);
  CHECK(cudaLaunchKernelEx(&configuration, set, a, 11));
  expect(holds(a, 11), "a launch by its configuration");
  expect(cudaStreamDestroy(cudaStreamPerThread) == cudaErrorInvalidResourceHandle, "not to be destroyed");
  unsigned long long legacy = 0, own = 0, of_other = 0;
  CHECK(cudaStreamGetId(cudaStreamLegacy, &legacy));
  CHECK(cudaStreamGetId(0, &own));
  std::thread([&] { CHECK(cudaStreamGetId(0, &of_other)); }).join();
  expect(legacy != own && own != of_other, "streams of their own");
}

int main(int count, char** words) {
  const int one = 1;
  CHECK(cudaMemcpyToSymbol(offset, &one, sizeof one));
  int* a;
  CHECK(cudaMalloc(&a, kBytes));
  CHECK(cudaMemset(a, 0, kBytes));
  CHECK(cudaDeviceSynchronize());
  if (count > 1) {
    cudaEvent_t early;
    CHECK(cudaEventCreate(&early));
    CHECK(cudaEventRecord(early));
    set<<<kBlocks, kThreads>>>(a, 1);  // first thread
    std::thread([=] {
      if (std::atoi(words[1]) == 1) CHECK(cudaStreamWaitEvent(0, early));  // waits for nothing
      increase<<<kBlocks, kThreads>>>(a);                                  // second thread
      CHECK(cudaStreamSynchronize(0));
    }).join();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(early));
    return cudaFree(a);
  }
  bool right[2] = {};
  std::thread first(work_alone, 100, &right[0]), second(work_alone, 200, &right[1]);
  first.join();
  second.join();
  expect(right[0] && right[1], "two threads at once");
  use_legacy_stream(a);
  wait_for_event(a);
  call_names(a);
  CHECK(cudaFree(a));
}
