// Executable graphs: the order of their nodes as streams see it, updates, and what findings say of nodes.
#include <algorithm>

#include "catch/catch.h"
#include "graphs.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
  REQUIRE(cudaGraphAddDependencies(graph, &from, &to, nullptr, 1) == cudaSuccess);
}

std::size_t race_count(Device& device) {
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(report.protocol_error.empty());
  CHECK(report.internal_error.empty());
  return static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [](const cudalabs::Finding& finding) { return finding.id == "stream-race"; }));
}

}  // namespace

TEST_CASE("nodes have just the order that the graph gives them") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaStream_t stream = GENERATE(true, false) ? nullptr : new_stream(cudaStreamNonBlocking);
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t first = add_write(graph, {}, cells, 1);
  SECTION("two nodes that nothing orders race") {
    add_write(graph, {}, cells, 2);
    launch(instantiated(graph), stream);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const ServerReport report = device.finish();
    const auto race = std::find_if(report.findings.begin(), report.findings.end(),
                                   [](const cudalabs::Finding& finding) { return finding.id == "stream-race"; });
    REQUIRE(race != report.findings.end());
    CHECK(race->note.find("is a node of a graph") != std::string::npos);
    CHECK(race->help.find("cudaGraphAddDependencies") != std::string::npos);
  }
  SECTION("an edge orders them") {
    add_write(graph, {first}, cells, 2);
    launch(instantiated(graph), stream);
    CHECK(race_count(device) == 0);
  }
  SECTION("so does a way over others") {
    const cudaGraphNode_t left = add_write(graph, {first}, cells + 1, 2),
                          right = add_write(graph, {first}, cells + 2, 3);
    add_write(graph, {left, right}, cells, 4);
    launch(instantiated(graph), stream);
    CHECK(race_count(device) == 0);
  }
  SECTION("branches of a fork do not wait for each other") {
    add_write(graph, {first}, cells + 1, 2);
    add_write(graph, {first}, cells + 1, 3);
    launch(instantiated(graph), stream);
    CHECK(race_count(device) == 1);
  }
  SECTION("a node of a branch waits for the join alone that is before it") {
    const cudaGraphNode_t left = add_write(graph, {}, cells + 1, 2);
    const cudaGraphNode_t right = add_write(graph, {}, cells + 2, 3);
    add_write(graph, {first, left}, cells + 3, 4);
    add_write(graph, {right}, cells + 3, 5);
    launch(instantiated(graph), stream);
    CHECK(race_count(device) == 1);
  }
  SECTION("empty nodes and graphs within order what is around them") {
    cudaGraphNode_t join = nullptr, child = nullptr;
    const cudaGraphNode_t other = add_write(graph, {}, cells + 1, 2);
    const cudaGraphNode_t both[] = {first, other};
    REQUIRE(cudaGraphAddEmptyNode(&join, graph, both, 2) == cudaSuccess);
    const cudaGraph_t inner = new_graph();
    add_write(inner, {}, cells, 3);
    add_write(inner, {}, cells + 1, 4);
    REQUIRE(cudaGraphAddChildGraphNode(&child, graph, &join, 1, inner) == cudaSuccess);
    add_write(graph, {child}, cells, 5);
    add_write(graph, {child}, cells + 1, 6);
    launch(instantiated(graph), stream);
    CHECK(race_count(device) == 0);
    CHECK(writer.written.size() == 6);
  }
}

TEST_CASE("a launch comes after its stream's work, and before what comes after it") {
  Writer writer;
  Device device;
  int* const cells = new_ints(2);
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  const cudaGraph_t graph = new_graph();
  add_write(graph, {}, cells, 1);
  add_write(graph, {}, cells + 1, 2);
  const cudaGraphExec_t executable = instantiated(graph);
  SECTION("in the stream") {
    Writer::launch(cells + 1, 3, stream);
    launch(executable, stream);
    Writer::launch(cells, 4, stream);
    Writer::launch(cells + 1, 5, stream);
    CHECK(race_count(device) == 0);
  }
  SECTION("and not in another one") {
    launch(executable, stream);
    Writer::launch(cells + 1, 3, other);
    CHECK(race_count(device) == 1);
  }
  SECTION("launches of one executable graph wait for each other") {
    launch(executable, stream);
    launch(executable, other);
    launch(executable, nullptr);
    CHECK(race_count(device) == 0);
    CHECK(writer.written.size() == 6);
  }
  SECTION("also when the stream of the one before is gone") {
    launch(executable, stream);
    REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
    launch(executable, other);
    CHECK(race_count(device) == 0);
  }
  SECTION("the default stream waits for a blocking stream's graph") {
    const cudaStream_t blocking = new_stream();
    launch(executable, blocking);
    Writer::launch(cells + 1, 3, nullptr);
    launch(executable, blocking);
    CHECK(race_count(device) == 0);
  }
  SECTION("after a reset it is launched on the new device") {
    launch(executable, stream);
    REQUIRE(cudaDeviceReset() == cudaSuccess);
    int* const again = new_ints(2);
    CHECK(again != nullptr);
    CHECK(cudaGraphUpload(executable, nullptr) == cudaSuccess);
    CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  }
}

TEST_CASE("a graph wider than there are lanes is launched whole") {
  Writer writer;
  Device device;
  int* const cells = new_ints(200);
  const cudaGraph_t graph = new_graph();
  std::vector<cudaGraphNode_t> branches;
  for (int i = 0; i < 150; ++i) branches.push_back(add_write(graph, {}, cells + i, i));
  add_write(graph, branches, cells, 1000);
  launch(instantiated(graph), nullptr);
  CHECK(race_count(device) == 0);
  CHECK(writer.written.size() == 151);
  CHECK(writer.written.back() == 1000);
}

TEST_CASE("a node of an executable graph takes other parameters, the graph's node keeps its own") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t node = add_write(graph, {}, cells, 1);
  cudaGraphNode_t fill = nullptr, copy = nullptr, host = nullptr;
  cudaMemsetParams bytes{cells + 1, 0, 1, 1, 4, 1};
  REQUIRE(cudaGraphAddMemsetNode(&fill, graph, &node, 1, &bytes) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, cells + 2, cells, 4, cudaMemcpyDeviceToDevice) ==
          cudaSuccess);
  static int called;
  called = 0;
  const cudaHostNodeParams one{[](void*) { called += 1; }, nullptr}, ten{[](void*) { called += 10; }, nullptr};
  REQUIRE(cudaGraphAddHostNode(&host, graph, &copy, 1, &one) == cudaSuccess);
  const cudaGraphExec_t executable = instantiated(graph);
  int* to = cells;
  int value = 8;
  void* arguments[] = {&to, &value};
  const cudaKernelNodeParams other{const_cast<void*>(kernel("write")), dim3(1), dim3(1), 0, arguments, nullptr};
  REQUIRE(cudaGraphExecKernelNodeSetParams(executable, node, &other) == cudaSuccess);
  bytes.value = 2;
  REQUIRE(cudaGraphExecMemsetNodeSetParams(executable, fill, &bytes) == cudaSuccess);
  REQUIRE(cudaGraphExecMemcpyNodeSetParams1D(executable, copy, cells + 3, cells, 4, cudaMemcpyDeviceToDevice) ==
          cudaSuccess);
  REQUIRE(cudaGraphExecHostNodeSetParams(executable, host, &ten) == cudaSuccess);
  launch(executable, nullptr);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(value_at(cells) == 8);
  CHECK(value_at(cells + 1) == 0x02020202);
  CHECK(value_at(cells + 2) == 0);
  CHECK(value_at(cells + 3) == 8);
  CHECK(called == 10);
  cudaKernelNodeParams kept = {};
  REQUIRE(cudaGraphKernelNodeGetParams(node, &kept) == cudaSuccess);
  CHECK(*static_cast<int*>(kept.kernelParams[1]) == 1);
  CHECK(cudaGraphExecKernelNodeSetParams(executable, fill, &other) == cudaErrorInvalidValue);
  const cudaGraph_t stranger = new_graph();
  CHECK(cudaGraphExecKernelNodeSetParams(executable, add_write(stranger, {}, cells, 1), &other) ==
        cudaErrorInvalidValue);
  SECTION("a node is left out") {
    unsigned int enabled = 2;
    REQUIRE(cudaGraphNodeSetEnabled(executable, node, 0) == cudaSuccess);
    REQUIRE(cudaGraphNodeGetEnabled(executable, node, &enabled) == cudaSuccess);
    CHECK(enabled == 0);
    CHECK(cudaGraphNodeSetEnabled(executable, host, 0) == cudaErrorInvalidValue);
    launch(executable, nullptr);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(writer.written.size() == 1);
    CHECK(called == 20);
  }
}

TEST_CASE("an executable graph is updated by a graph that is made alike") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t first = add_write(graph, {}, cells, 1);
  add_write(graph, {first}, cells + 1, 2);
  const cudaGraphExec_t executable = instantiated(graph);
  const cudaGraph_t other = new_graph();
  const cudaGraphNode_t of_other = add_write(other, {}, cells, 5);
  cudaGraphExecUpdateResultInfo result = {};
  SECTION("fewer nodes") {
    CHECK(cudaGraphExecUpdate(executable, other, &result) == cudaErrorGraphExecUpdateFailure);
    CHECK(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  }
  SECTION("other edges") {
    add_write(other, {}, cells + 1, 6);
    CHECK(cudaGraphExecUpdate(executable, other, &result) == cudaErrorGraphExecUpdateFailure);
    CHECK(result.result == cudaGraphExecUpdateErrorTopologyChanged);
    CHECK(result.errorNode == nullptr);
  }
  SECTION("another kind of node") {
    cudaGraphNode_t last = nullptr;
    REQUIRE(cudaGraphAddEmptyNode(&last, other, &of_other, 1) == cudaSuccess);
    CHECK(cudaGraphExecUpdate(executable, other, &result) == cudaErrorGraphExecUpdateFailure);
    CHECK(result.result == cudaGraphExecUpdateErrorNodeTypeChanged);
    CHECK(result.errorNode == last);
  }
  SECTION("the same, with other arguments") {
    add_edge(other, of_other, add_write(other, {}, cells + 1, 6));
    CHECK(cudaGraphExecUpdate(executable, other, &result) == cudaSuccess);
    CHECK(result.result == cudaGraphExecUpdateSuccess);
    REQUIRE(cudaGraphDestroy(other) == cudaSuccess);
    launch(executable, nullptr);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(writer.written == std::vector<int>{5, 6});
  }
}

TEST_CASE("what kernels of a graph do wrong is found at the launch, at the place of the node") {
  Writer writer;
  Device device;
  int* const cell = new_ints();
  const cudaStream_t stream = new_stream();
  begin(stream);
  Writer::launch(cell, 7, stream);
  const cudaGraphExec_t executable = instantiated(end(stream));
  REQUIRE(cudaFree(cell) == cudaSuccess);
  launch(executable, stream);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
  const ServerReport report = device.finish();
  REQUIRE(report.launch_calls.size() == 1);
  CHECK(report.launch_calls[0].kernel == "write");
}

TEST_CASE("a launch that is refused is the graph's launch that fails") {
  Device device;
  const cudaStream_t stream = new_stream();
  begin(stream);
  launch_as_compiled(kernel("empty"), 1, 1, {}, 1 << 20, stream);  // what only the server knows
  CHECK(cudaGetLastError() == cudaSuccess);
  const cudaGraphExec_t executable = instantiated(end(stream));
  CHECK(cudaGraphLaunch(executable, stream) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  const ServerReport report = device.finish();
  CHECK(has_finding(report, "invalid-launch"));
  CHECK(report.calls.back().name == "cudaGetLastError");
}

TEST_CASE("graphs that kernels launch are not offered") {
  Device device;
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, new_graph(), cudaGraphInstantiateFlagDeviceLaunch) == cudaErrorNotSupported);
  CHECK(cudaGraphInstantiate(&executable, new_graph(), 64) == cudaErrorInvalidValue);
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].message == "a graph that kernels launch by `cudaGraphInstantiate` is not supported here");
}
