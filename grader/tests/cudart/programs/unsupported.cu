// Calls of what the virtual GPU does not have: each compiles, fails, and becomes a finding at its line.
#include "check.h"

static void show(cudaError_t status) {
  std::printf("%s\n", cudaGetErrorName(status));
}

int main() {
  float* memory;
  CHECK(cudaMalloc(&memory, 4096));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusActive;
  CHECK(cudaStreamIsCapturing(stream, &capturing));
  expect(capturing == cudaStreamCaptureStatusNone, "nothing is captured");

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node;
  show(cudaGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, nullptr));  // semaphores
  show(cudaDestroyExternalMemory(nullptr));                                           // external memory
  CHECK(cudaGraphDestroy(graph));
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  show(cudaMallocArray(&array, &channels, 16, 16, cudaArraySparse));  // array
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  cudaTextureDesc description = {};
  description.sRGB = 1;
  cudaTextureObject_t texture = 0;
  show(cudaCreateTextureObject(&texture, &resource, &description, nullptr));  // texture
  cudaIpcMemHandle_t handle;
  show(cudaIpcGetMemHandle(&handle, memory));  // another process

  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(memory));
}
