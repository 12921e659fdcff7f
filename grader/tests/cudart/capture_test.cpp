// Stream capture: calls become nodes, events carry a capture to other streams, and captures begin and end.
#include <thread>

#include "catch/catch.h"
#include "graphs.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("what a stream captures is not done before the graph is launched, and then each time") {
  Writer writer;
  Device device;
  int* const cell = new_ints();
  const cudaStream_t stream = new_stream();
  begin(stream);
  CHECK(status_of(stream) == cudaStreamCaptureStatusActive);
  Writer::launch(cell, 7, stream);
  CHECK(cudaMemsetAsync(cell + 0, 0, 0, stream) == cudaSuccess);  // nothing to do: no node
  const cudaGraph_t graph = end(stream);
  CHECK(status_of(stream) == cudaStreamCaptureStatusNone);
  CHECK(nodes_of(graph).size() == 1);
  const cudaGraphExec_t executable = instantiated(graph);
  CHECK(writer.written.empty());
  CHECK(value_at(cell) == 0);
  launch(executable, stream);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(value_at(cell) == 7);
  launch(executable, stream);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(writer.written == std::vector<int>{7, 7});
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, stream) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(graph) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(cell) == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(report.protocol_error.empty());
  CHECK(report.findings.empty());
  CHECK(report.launch_count == 2);
}

TEST_CASE("each kind of call that gives a stream work becomes a node of its kind") {
  Writer writer;
  Device device;
  int* const cells = new_ints(16);
  int* host = nullptr;
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&host), 64) == cudaSuccess);
  std::memset(host, 0, 64);
  host[0] = 42;
  static int called;
  called = 0;
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event();
  begin(stream);
  CHECK(cudaMemcpyAsync(cells, host, 4, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  CHECK(cudaMemcpy2DAsync(cells + 4, 8, cells, 8, 4, 2, cudaMemcpyDeviceToDevice, stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(cells + 1, 0xff, 4, stream) == cudaSuccess);
  Writer::launch(cells + 2, 5, stream);
  CHECK(cudaLaunchHostFunc(
            stream, [](void*) { ++called; }, nullptr) == cudaSuccess);
  CHECK(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, event, cudaEventWaitExternal) == cudaSuccess);
  void* memory = nullptr;
  CHECK(cudaMallocAsync(&memory, 64, stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 3, 64, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(host + 8, memory, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
  CHECK(called == 0);
  const cudaGraph_t graph = end(stream);
  const cudaGraphNodeType expected[] = {
      cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,    cudaGraphNodeTypeKernel,
      cudaGraphNodeTypeHost,   cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemset, cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemFree};
  const std::vector<cudaGraphNode_t> nodes = nodes_of(graph);
  REQUIRE(nodes.size() == std::size(expected));
  for (std::size_t i = 0; i < nodes.size(); ++i) CHECK(type_of(nodes[i]) == expected[i]);
  const cudaGraphExec_t executable = instantiated(graph);
  for (int i = 1; i <= 2; ++i) {
    launch(executable, stream);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(called == i);
    CHECK(value_at(cells) == 42);
    CHECK(value_at(cells + 1) == -1);
    CHECK(value_at(cells + 2) == 5);
    CHECK(value_at(cells + 4) == 42);
    CHECK(value_at(cells + 6) == 0);  // copied before the kernel wrote it
    CHECK(host[8] == 0x03030303);
    REQUIRE(cudaMemset(cells, 0, 64) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    host[8] = 0;
  }
  CHECK(cudaEventQuery(event) == cudaSuccess);
  REQUIRE(cudaFree(cells) == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(report.protocol_error.empty());
  for (const cudalabs::Finding& finding : report.findings) CHECK(finding.message == "");
}

TEST_CASE("arguments are those of the call, not of the launch") {
  Writer writer;
  Device device;
  int* const cell = new_ints();
  const cudaStream_t stream = new_stream();
  begin(stream);
  {
    int* to = cell;
    int value = 3;
    launch_as_compiled(kernel("write"), 1, 1, {&to, &value}, 0, stream);
    to = nullptr;
    value = 0;
  }
  launch(instantiated(end(stream)), stream);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(value_at(cell) == 3);
}

TEST_CASE("a stream that waits for a captured event captures, too, until the capture ends") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaStream_t one = new_stream(), other = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t forked = new_event(), joined = new_event();
  begin(one);
  Writer::launch(cells, 1, one);
  REQUIRE(cudaEventRecord(forked, one) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(other, forked, 0) == cudaSuccess);
  CHECK(status_of(other) == cudaStreamCaptureStatusActive);
  Writer::launch(cells + 1, 2, other);
  Writer::launch(cells + 2, 3, one);
  REQUIRE(cudaEventRecord(joined, other) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(one, joined, 0) == cudaSuccess);
  Writer::launch(cells + 3, 4, one);
  const cudaGraph_t graph = end(one);
  CHECK(status_of(other) == cudaStreamCaptureStatusNone);
  const std::vector<cudaGraphNode_t> nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 4);
  cudaGraphNode_t from[8], to[8];
  std::size_t edges = 8;
  REQUIRE(cudaGraphGetEdges(graph, from, to, nullptr, &edges) == cudaSuccess);
  CHECK(edges == 4);
  std::size_t count = 2;
  cudaGraphNode_t before[2];
  REQUIRE(cudaGraphNodeGetDependencies(nodes[3], before, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(before[0] == nodes[2]);
  CHECK(before[1] == nodes[1]);
  launch(instantiated(graph), one);
  REQUIRE(cudaStreamSynchronize(one) == cudaSuccess);
  CHECK(writer.written.size() == 4);
  CHECK(writer.written.front() == 1);
  CHECK(writer.written.back() == 4);
  CHECK(device.finish().protocol_error.empty());
}

TEST_CASE("work of another stream that does not come back makes a capture fail") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaStream_t one = new_stream(), other = new_stream();
  const cudaEvent_t forked = new_event();
  begin(one);
  Writer::launch(cells, 1, one);
  REQUIRE(cudaEventRecord(forked, one) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(other, forked, 0) == cudaSuccess);
  Writer::launch(cells + 1, 2, other);
  SECTION("work is left") {
    ends_with(one, cudaErrorStreamCaptureUnjoined);
    CHECK(status_of(other) == cudaStreamCaptureStatusNone);
  }
  SECTION("the other stream cannot end it") {
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(other, &graph) == cudaErrorStreamCaptureUnmatched);
    cudaGetLastError();
  }
  CHECK(cudaDeviceSynchronize() != cudaErrorUnknown);
}

TEST_CASE("a stream that has come back may go before the capture ends") {
  Writer writer;
  Device device;
  int* const cells = new_ints(2);
  const cudaStream_t one = new_stream(), other = new_stream();
  const cudaEvent_t event = new_event();
  const bool joined = GENERATE(true, false);
  begin(one);
  REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
  Writer::launch(cells, 1, other);
  REQUIRE(cudaEventRecord(event, other) == cudaSuccess);
  if (joined) REQUIRE(cudaStreamWaitEvent(one, event, 0) == cudaSuccess);
  CHECK(cudaStreamDestroy(other) == cudaSuccess);
  if (!joined) return ends_with(one, cudaErrorStreamCaptureUnjoined);
  CHECK(nodes_of(end(one)).size() == 1);
  begin(one);
  CHECK(cudaStreamDestroy(one) == cudaSuccess);  // and the capture is over
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a capture begins and ends where it may") {
  Device device;
  const cudaStream_t stream = new_stream();
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(7)) == cudaErrorInvalidValue);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  const auto nowhere = reinterpret_cast<cudaStream_t>(std::uintptr_t{0x7777});
  CHECK(cudaStreamBeginCapture(nowhere, cudaStreamCaptureModeGlobal) == cudaErrorInvalidResourceHandle);
  begin(stream);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
  cudaError_t elsewhere = cudaSuccess;
  std::thread([&] { elsewhere = cudaStreamEndCapture(stream, &graph); }).join();
  CHECK(elsewhere == cudaErrorStreamCaptureWrongThread);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);  // it is over all the same
  begin(stream, cudaStreamCaptureModeRelaxed);
  std::thread([&] { elsewhere = cudaStreamEndCapture(stream, &graph); }).join();
  CHECK(elsewhere == cudaSuccess);
}

TEST_CASE("a capture tells of itself, and lets its order be changed") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaStream_t stream = new_stream();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  unsigned long long id = 0;
  REQUIRE(cudaStreamGetCaptureInfo(stream, &status, &id, nullptr, nullptr, nullptr, nullptr) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusNone);
  begin(stream);
  Writer::launch(cells, 1, stream);
  Writer::launch(cells + 1, 2, stream);
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* next = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  std::size_t count = 0;
  REQUIRE(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &next, &edges, &count) == cudaSuccess);
  REQUIRE(edges != nullptr);
  CHECK(edges[0].type == cudaGraphDependencyTypeDefault);
  CHECK(status == cudaStreamCaptureStatusActive);
  CHECK(id != 0);
  REQUIRE(count == 1);
  std::vector<cudaGraphNode_t> nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 2);
  CHECK(next[0] == nodes[1]);
  CHECK(cudaGraphDestroy(graph) == cudaErrorInvalidValue);
  cudaGetLastError();
  REQUIRE(cudaStreamUpdateCaptureDependencies(stream, nodes.data(), nullptr, 1, cudaStreamSetCaptureDependencies) ==
          cudaSuccess);
  Writer::launch(cells + 2, 3, stream);
  REQUIRE(cudaStreamUpdateCaptureDependencies(stream, &nodes[1], nullptr, 1, cudaStreamAddCaptureDependencies) ==
          cudaSuccess);
  Writer::launch(cells + 3, 4, stream);
  CHECK(end(stream) == graph);
  nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 4);
  cudaGraphNode_t before[2] = {};
  count = 2;
  REQUIRE(cudaGraphNodeGetDependencies(nodes[2], before, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(before[0] == nodes[0]);
  REQUIRE(cudaGraphNodeGetDependencies(nodes[3], nullptr, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
}

TEST_CASE("a graph that exists can be captured to") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaStream_t stream = new_stream();
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t first = add_write(graph, {}, cells, 1);
  REQUIRE(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, cudaStreamCaptureModeGlobal) == cudaSuccess);
  Writer::launch(cells + 1, 2, stream);
  CHECK(end(stream) == graph);
  launch(instantiated(graph), stream);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(writer.written == std::vector<int>{1, 2});
}
