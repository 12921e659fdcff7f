// A graph whose kernel decides how often a part of it is executed.
#include <cstdio>

#include "check.h"

__global__ void count_down(int* left, cudaGraphConditionalHandle condition) {
  std::printf("%d left\n", *left);
  *left -= 1;
  cudaGraphSetConditional(condition, *left > 0);
}

__global__ void end() {
  std::printf("done\n");
}

int main() {
  int* left;
  CHECK(cudaMalloc(&left, sizeof *left));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle condition;
  CHECK(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = {};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = condition;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t loop_node, node;
  CHECK(cudaGraphAddNode(&loop_node, graph, nullptr, nullptr, 0, &loop));
  void* arguments[] = {&left, &condition};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(count_down);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&node, loop.conditional.phGraph_out[0], nullptr, 0, &kernel));
  kernel.func = reinterpret_cast<void*>(end);
  kernel.kernelParams = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, &loop_node, 1, &kernel));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (const int rounds : {2, 1}) {
    CHECK(cudaMemcpy(left, &rounds, sizeof rounds, cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(executable, nullptr));
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(left));
}
