// Graphs of a test: kernels that write where they are told, and short ways to make what is launched.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "catch/catch.h"
#include "streams.h"

namespace cudalabs::vgpu::test {

/// While it lives the kernel "write" stores its second parameter where the first points, says so, and keeps a list.
struct Writer {
  std::vector<int> written;
  KernelBody body{"write", [this](fake::LaunchCall& call) {
                    const auto to = call.parameter<DeviceAddress>(0);
                    const int value = call.parameter<int>(8);
                    written.push_back(value);
                    const bool done = call.gpu.copy_in(to, std::as_bytes(std::span(&value, 1)));
                    LaunchOutcome outcome{done ? LaunchStatus::ok : LaunchStatus::illegal_address, 0, ""};
                    outcome.touched.writes.push_back({to, to + sizeof value});
                    return outcome;
                  }};
  /// Launched as `write<<<1, 1, 0, stream>>>(to, value)` is.
  static void launch(int* to, int value, cudaStream_t stream) {
    launch_as_compiled(kernel("write"), 1, 1, {&to, &value}, 0, stream);
    REQUIRE(cudaGetLastError() == cudaSuccess);
  }
};

inline int* new_ints(std::size_t count = 1) {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, count * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, count * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return static_cast<int*>(memory);
}

inline int value_at(const int* device) {
  int value = -1;
  REQUIRE(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  return value;
}

inline void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  REQUIRE(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
}

inline cudaGraph_t end(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(graph != nullptr);
  return graph;
}

inline cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  return graph;
}

inline cudaGraphExec_t instantiated(cudaGraph_t graph, unsigned long long flags = 0) {
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, flags) == cudaSuccess);
  return executable;
}

inline void launch(cudaGraphExec_t executable, cudaStream_t stream) {
  REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
}

inline std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) REQUIRE(cudaGraphGetNodes(graph, nodes.data(), &count) == cudaSuccess);
  return nodes;
}

inline cudaGraphNodeType type_of(cudaGraphNode_t node) {
  cudaGraphNodeType type = cudaGraphNodeTypeCount;
  REQUIRE(cudaGraphNodeGetType(node, &type) == cudaSuccess);
  return type;
}

/// A node of a graph that does as Writer::launch.
inline cudaGraphNode_t add_write(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, int* to, int value) {
  void* arguments[] = {&to, &value};
  const cudaKernelNodeParams parameters{const_cast<void*>(kernel("write")), dim3(1), dim3(1), 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters) == cudaSuccess);
  return node;
}

inline cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  REQUIRE(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  return status;
}

/// The capture ends with this error and without a graph, and the stream captures no more.
inline void ends_with(cudaStream_t stream, cudaError_t error) {
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(std::uintptr_t{1});
  CHECK(cudaStreamEndCapture(stream, &graph) == error);
  CHECK(graph == nullptr);
  CHECK(status_of(stream) == cudaStreamCaptureStatusNone);
}

}  // namespace cudalabs::vgpu::test
