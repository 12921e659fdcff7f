// Graphs that are made node by node: what nodes keep and tell, the edges between them, and copies of graphs.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "catch/catch.h"
#include "graphs.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

cudaGraphNode_t add_empty(cudaGraph_t graph, std::vector<cudaGraphNode_t> after = {}) {
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddEmptyNode(&node, graph, after.data(), after.size()) == cudaSuccess);
  return node;
}

std::vector<cudaGraphNode_t> dependencies_of(cudaGraphNode_t node) {
  std::size_t count = 0;
  REQUIRE(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &count) == cudaSuccess);
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) REQUIRE(cudaGraphNodeGetDependencies(node, nodes.data(), nullptr, &count) == cudaSuccess);
  return nodes;
}

void run(cudaGraph_t graph) {
  const cudaGraphExec_t executable = instantiated(graph);
  launch(executable, nullptr);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaGraphExecDestroy(executable) == cudaSuccess);
}

}  // namespace

TEST_CASE("edges are added, removed and told") {
  Device device;
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t a = add_empty(graph), b = add_empty(graph, {a}), c = add_empty(graph, {a, b});
  cudaGraphNode_t roots[4];
  std::size_t count = 4;
  REQUIRE(cudaGraphGetRootNodes(graph, roots, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(roots[0] == a);
  CHECK(roots[1] == nullptr);
  cudaGraphNode_t from[4], to[4];
  cudaGraphEdgeData data[4];
  count = 2;
  REQUIRE(cudaGraphGetEdges(graph, from, to, data, &count) == cudaSuccess);
  CHECK(count == 2);
  REQUIRE(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count) == cudaSuccess);
  CHECK(count == 3);
  CHECK(cudaGraphRemoveDependencies(graph, &a, &c, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphRemoveDependencies(graph, &a, &c, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(dependencies_of(c) == std::vector{b});
  CHECK(cudaGraphAddDependencies(graph, &a, &c, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &a, &a, nullptr, 1) == cudaErrorInvalidValue);
  cudaGraphNode_t dependents[4];
  count = 4;
  REQUIRE(cudaGraphNodeGetDependentNodes(a, dependents, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  SECTION("nodes go with their edges") {
    REQUIRE(cudaGraphDestroyNode(b) == cudaSuccess);
    CHECK(nodes_of(graph) == std::vector{a, c});
    CHECK(dependencies_of(c) == std::vector{a});
    CHECK(cudaGraphDestroyNode(b) == cudaErrorInvalidValue);
  }
  SECTION("nodes that wait for each other cannot be launched") {
    cudaGraphExec_t executable = nullptr;
    cudaGraphInstantiateParams parameters = {};
    REQUIRE(cudaGraphAddDependencies(graph, &c, &a, nullptr, 1) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&executable, graph, 0) == cudaErrorInvalidValue);
    CHECK(cudaGraphInstantiateWithParams(&executable, graph, &parameters) == cudaErrorInvalidValue);
    CHECK(parameters.result_out == cudaGraphInstantiateInvalidStructure);
  }
  SECTION("nodes of other graphs are none of this one") {
    const cudaGraph_t other = new_graph();
    cudaGraphNode_t node = nullptr;
    CHECK(cudaGraphAddEmptyNode(&node, other, &a, 1) == cudaErrorInvalidValue);
    CHECK(cudaGraphAddDependencies(other, &a, &b, nullptr, 1) == cudaErrorInvalidValue);
    const cudaGraphNode_t twice[] = {a, a};
    CHECK(cudaGraphAddEmptyNode(&node, graph, twice, 2) == cudaErrorInvalidValue);
    CHECK(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0) == cudaErrorInvalidValue);
  }
}

TEST_CASE("a kernel's node keeps its arguments, gives them back and takes others") {
  Writer writer;
  Device device;
  int* const cells = new_ints(2);
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t node = add_write(graph, {}, cells, 5);
  cudaKernelNodeParams kept = {};
  REQUIRE(cudaGraphKernelNodeGetParams(node, &kept) == cudaSuccess);
  CHECK(kept.func == kernel("write"));
  CHECK(kept.gridDim.x == 1);
  CHECK(*static_cast<int**>(kept.kernelParams[0]) == cells);
  CHECK(*static_cast<int*>(kept.kernelParams[1]) == 5);
  run(graph);
  CHECK(value_at(cells) == 5);
  int* to = cells + 1;
  int value = 6;
  void* arguments[] = {&to, &value};
  kept.kernelParams = arguments;
  REQUIRE(cudaGraphKernelNodeSetParams(node, &kept) == cudaSuccess);
  run(graph);
  CHECK(value_at(cells + 1) == 6);
  kept.func = const_cast<void*>(kernel("absent"));
  CHECK(cudaGraphKernelNodeSetParams(node, &kept) == cudaErrorInvalidDeviceFunction);
  kept.func = const_cast<void*>(kernel("write"));
  kept.gridDim.x = 0;
  CHECK(cudaGraphKernelNodeSetParams(node, &kept) != cudaSuccess);
  cudaMemsetParams fill = {};
  CHECK(cudaGraphMemsetNodeGetParams(node, &fill) == cudaErrorInvalidValue);
  run(graph);
  CHECK(writer.written == std::vector<int>{5, 6, 6});
}

TEST_CASE("a kernel's attributes are kept, copied, and done") {
  bool cooperative = false;
  const KernelBody body("empty", [&](fake::LaunchCall& call) {
    cooperative = call.config.cooperative;
    return LaunchOutcome{LaunchStatus::ok, 0, ""};
  });
  Device device;
  const cudaGraph_t graph = new_graph();
  const cudaKernelNodeParams parameters{const_cast<void*>(kernel("empty")), dim3(1), dim3(1), 0, nullptr, nullptr};
  cudaGraphNode_t one = nullptr, other = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&one, graph, nullptr, 0, &parameters) == cudaSuccess);
  cudaKernelNodeAttrValue value = {};
  value.cooperative = 1;
  REQUIRE(cudaGraphKernelNodeSetAttribute(one, cudaLaunchAttributeCooperative, &value) == cudaSuccess);
  value = {};
  REQUIRE(cudaGraphKernelNodeGetAttribute(one, cudaLaunchAttributeCooperative, &value) == cudaSuccess);
  CHECK(value.cooperative == 1);
  CHECK(cudaGraphKernelNodeSetAttribute(one, static_cast<cudaLaunchAttributeID>(99), &value) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphAddKernelNode(&other, graph, &one, 1, &parameters) == cudaSuccess);
  REQUIRE(cudaGraphKernelNodeCopyAttributes(other, one) == cudaSuccess);
  run(graph);
  CHECK(cooperative);
}

TEST_CASE("copies and fills of all shapes are nodes") {
  Device device;
  int* const cells = new_ints(16);
  const cudaGraph_t graph = new_graph();
  int source[4] = {1, 2, 3, 4}, target[4] = {};
  cudaGraphNode_t in = nullptr, across = nullptr, fill = nullptr, out = nullptr;
  REQUIRE(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, cells, source, 16, cudaMemcpyHostToDevice) == cudaSuccess);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(cells, 8, 8, 2);
  copy.dstPtr = make_cudaPitchedPtr(cells + 4, 4, 4, 2);
  copy.extent = make_cudaExtent(4, 2, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  REQUIRE(cudaGraphAddMemcpyNode(&across, graph, &in, 1, &copy) == cudaSuccess);
  cudaMemsetParams words{cells + 6, 0, 0x01020304, 4, 2, 1};
  REQUIRE(cudaGraphAddMemsetNode(&fill, graph, &across, 1, &words) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&out, graph, &fill, 1, target, cells + 4, 16, cudaMemcpyDefault) == cudaSuccess);
  run(graph);
  CHECK(target[0] == 1);
  CHECK(target[1] == 3);
  CHECK(target[2] == 0x01020304);
  CHECK(target[3] == 0x01020304);

  cudaMemcpy3DParms kept = {};
  REQUIRE(cudaGraphMemcpyNodeGetParams(across, &kept) == cudaSuccess);
  CHECK(std::memcmp(&kept, &copy, sizeof kept) == 0);
  cudaMemsetParams kept_fill = {};
  REQUIRE(cudaGraphMemsetNodeGetParams(fill, &kept_fill) == cudaSuccess);
  CHECK(kept_fill.elementSize == 4);
  words = {cells + 6, 8, 9, 2, 1, 2};
  REQUIRE(cudaGraphMemsetNodeSetParams(fill, &words) == cudaSuccess);
  REQUIRE(cudaGraphMemcpyNodeSetParams1D(in, cells, source + 1, 12, cudaMemcpyHostToDevice) == cudaSuccess);
  run(graph);
  CHECK(target[0] == 2);
  CHECK(target[2] == 0x01020009);
  CHECK(cudaGraphMemcpyNodeSetParams1D(in, cells, nullptr, 12, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  words.elementSize = 3;
  CHECK(cudaGraphMemsetNodeSetParams(fill, &words) == cudaErrorInvalidValue);
  words = {cells, 4, 0, 4, 2, 2};
  CHECK(cudaGraphMemsetNodeSetParams(fill, &words) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(cells) == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(report.protocol_error.empty());
  CHECK(report.findings.empty());
}

TEST_CASE("symbols are read and written by nodes") {
  Device device;
  const cudaGraph_t graph = new_graph();
  int value = 12, seen = 0;
  cudaGraphNode_t in = nullptr, out = nullptr;
  REQUIRE(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, symbol("counter"), &value, 4, 0,
                                         cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, &seen, symbol("counter"), 4, 0,
                                           cudaMemcpyDeviceToHost) == cudaSuccess);
  run(graph);
  CHECK(seen == 12);
  int other = 13;
  REQUIRE(cudaGraphMemcpyNodeSetParamsToSymbol(in, symbol("counter"), &other, 4, 0, cudaMemcpyHostToDevice) ==
          cudaSuccess);
  REQUIRE(cudaGraphMemcpyNodeSetParamsFromSymbol(out, &value, symbol("counter"), 4, 0, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  run(graph);
  CHECK(value == 13);
  CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(in, symbol("counter"), &other, 8, 0, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(in, symbol("absent"), &other, 4, 0, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidSymbol);
}

TEST_CASE("host functions, events and graphs are nodes") {
  Writer writer;
  Device device;
  int* const cells = new_ints(2);
  static int called;
  called = 0;
  const cudaGraph_t inner = new_graph(), graph = new_graph();
  add_write(inner, {}, cells, 1);
  cudaGraphNode_t child = nullptr, host = nullptr, record = nullptr, wait = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, inner) == cudaSuccess);
  add_write(inner, {}, cells, 9);  // the node has a copy of before
  const cudaHostNodeParams function{[](void* data) { called += *static_cast<int*>(data); }, &called};
  called = 1;
  REQUIRE(cudaGraphAddHostNode(&host, graph, &child, 1, &function) == cudaSuccess);
  const cudaEvent_t event = new_event();
  REQUIRE(cudaGraphAddEventRecordNode(&record, graph, &host, 1, event) == cudaSuccess);
  REQUIRE(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event) == cudaSuccess);
  add_write(graph, {wait}, cells + 1, 2);
  run(graph);
  CHECK(called == 2);
  CHECK(writer.written == std::vector<int>{1, 2});
  CHECK(cudaEventQuery(event) == cudaSuccess);

  cudaGraph_t copy = nullptr;
  REQUIRE(cudaGraphChildGraphNodeGetGraph(child, &copy) == cudaSuccess);
  CHECK(nodes_of(copy).size() == 1);
  CHECK(cudaGraphDestroy(copy) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, graph) == cudaErrorInvalidValue);
  cudaEvent_t kept = nullptr;
  REQUIRE(cudaGraphEventRecordNodeGetEvent(record, &kept) == cudaSuccess);
  CHECK(kept == event);
  CHECK(cudaGraphEventWaitNodeGetEvent(record, &kept) == cudaErrorInvalidValue);
  cudaHostNodeParams seen = {};
  REQUIRE(cudaGraphHostNodeGetParams(host, &seen) == cudaSuccess);
  CHECK(seen.userData == &called);
  seen.fn = nullptr;
  CHECK(cudaGraphHostNodeSetParams(host, &seen) == cudaErrorInvalidValue);
}

TEST_CASE("nodes can be added by one call for all kinds") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaGraph_t graph = new_graph();
  cudaGraphNode_t node = nullptr, last = nullptr;
  const auto add = [&](cudaGraphNodeParams& parameters) {
    const cudaError_t status = cudaGraphAddNode(&node, graph, last != nullptr ? &last : nullptr, nullptr,
                                                last != nullptr ? 1 : 0, &parameters);
    if (status == cudaSuccess) last = node;
    return status;
  };
  int* to = cells;
  int value = 4;
  void* arguments[] = {&to, &value};
  cudaGraphNodeParams kernel_node = {};
  kernel_node.type = cudaGraphNodeTypeKernel;
  kernel_node.kernel = {const_cast<void*>(kernel("write")), dim3(1), dim3(1), 0, arguments, nullptr};
  CHECK(add(kernel_node) == cudaSuccess);
  cudaGraphNodeParams copy_node = {};
  copy_node.type = cudaGraphNodeTypeMemcpy;
  copy_node.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(cells, 4, 4, 1);
  copy_node.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(cells + 1, 4, 4, 1);
  copy_node.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
  copy_node.memcpy.copyParams.kind = cudaMemcpyDeviceToDevice;
  CHECK(add(copy_node) == cudaSuccess);
  cudaGraphNodeParams fill_node = {};
  fill_node.type = cudaGraphNodeTypeMemset;
  fill_node.memset = {cells + 2, 0, 1, 1, 4, 1};
  CHECK(add(fill_node) == cudaSuccess);
  run(graph);
  CHECK(value_at(cells + 1) == 4);
  CHECK(value_at(cells + 2) == 0x01010101);
  fill_node.memset.value = 2;
  CHECK(cudaGraphNodeSetParams(last, &fill_node) == cudaSuccess);
  CHECK(cudaGraphNodeSetParams(last, &copy_node) == cudaErrorInvalidValue);
  run(graph);
  CHECK(value_at(cells + 2) == 0x02020202);
  REQUIRE(cudaFree(cells) == cudaSuccess);
  cudaGraphNodeParams with_semaphore = {};
  with_semaphore.type = cudaGraphNodeTypeExtSemaphoreSignal;
  CHECK(add(with_semaphore) == cudaErrorNotSupported);
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "unsupported-call");
  CHECK(report.findings[0].message == "a node with external semaphores by `cudaGraphAddNode` is not supported here");
}

TEST_CASE("a graph's memory is there from its allocation to its free, in every launch") {
  Writer writer;
  Device device;
  const cudaGraph_t graph = new_graph();
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
  allocation.bytesize = 64;
  cudaGraphNode_t allocated = nullptr, freed = nullptr;
  REQUIRE(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &allocation) == cudaSuccess);
  REQUIRE(allocation.dptr != nullptr);
  int* const memory = static_cast<int*>(allocation.dptr);
  const cudaGraphNode_t written = add_write(graph, {allocated}, memory, 3);
  std::uint64_t used = 1;
  const bool frees = GENERATE(true, false);
  if (frees) {
    REQUIRE(cudaGraphAddMemFreeNode(&freed, graph, &written, 1, memory) == cudaSuccess);
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &written, 1, memory) == cudaErrorInvalidValue);
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &written, 1, &device) == cudaErrorInvalidValue);
  }
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, graph) == cudaErrorNotSupported);  // on no GPU
  CHECK(cudaGraphDestroyNode(written) == cudaErrorNotSupported);
  cudaMemAllocNodeParams kept = {};
  REQUIRE(cudaGraphMemAllocNodeGetParams(allocated, &kept) == cudaSuccess);
  CHECK(kept.dptr == memory);
  REQUIRE(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used == 0);
  SECTION("by itself") {
    const cudaGraphExec_t executable = instantiated(graph);
    cudaGraphExec_t second = nullptr;
    CHECK(cudaGraphInstantiate(&second, graph, 0) == cudaErrorNotSupported);
    launch(executable, nullptr);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    if (!frees) {
      CHECK(value_at(memory) == 3);
      CHECK(cudaGraphLaunch(executable, nullptr) == cudaErrorInvalidValue);
      CHECK(cudaFree(memory) == cudaSuccess);
    }
    CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(writer.written.size() == 2);
  }
  SECTION("freed by the next launch") {
    const cudaGraphExec_t executable = instantiated(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    unsigned long long flags = 0;
    REQUIRE(cudaGraphExecGetFlags(executable, &flags) == cudaSuccess);
    CHECK(flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);
    for (int i = 0; i < 3; ++i) launch(executable, nullptr);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(writer.written.size() == 3);
  }
  REQUIRE(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used) == cudaSuccess);
  CHECK(used == 64);
  const ServerReport report = device.finish();
  CHECK(report.protocol_error.empty());
  CHECK(report.findings.empty());  // what is left is no leak
}

TEST_CASE("a clone is another graph with the same nodes") {
  Writer writer;
  Device device;
  int* const cells = new_ints(2);
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t first = add_write(graph, {}, cells, 1), second = add_write(graph, {first}, cells + 1, 2);
  cudaGraph_t clone = nullptr;
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  cudaGraphNode_t copy = nullptr;
  REQUIRE(cudaGraphNodeFindInClone(&copy, second, clone) == cudaSuccess);
  CHECK(copy != second);
  CHECK(dependencies_of(copy).size() == 1);
  CHECK(cudaGraphNodeFindInClone(&copy, copy, clone) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  run(clone);
  CHECK(writer.written == std::vector<int>{1, 2});
}

TEST_CASE("a graph is printed for Graphviz") {
  Writer writer;
  Device device;
  int* const cells = new_ints();
  const cudaGraph_t graph = new_graph();
  add_empty(graph, {add_write(graph, {}, cells, 1)});
  char path[] = "/tmp/cudalabs-graph-XXXXXX";
  const int file = ::mkstemp(path);
  REQUIRE(file >= 0);
  ::close(file);
  REQUIRE(cudaGraphDebugDotPrint(graph, path, 0) == cudaSuccess);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  ::unlink(path);
  CHECK(text.str().find("digraph") == 0);
  CHECK(text.str().find("write") != std::string::npos);
  CHECK(text.str().find(" -> ") != std::string::npos);
  CHECK(cudaGraphDebugDotPrint(graph, "/nowhere/at/all", 0) == cudaErrorOperatingSystem);
}
