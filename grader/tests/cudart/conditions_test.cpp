// Conditional nodes of graphs: which bodies a launch executes, how often, and what is refused.
#include <algorithm>
#include <vector>

#include "catch/catch.h"
#include "graphs.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

cudaGraphConditionalHandle new_condition(cudaGraph_t graph, unsigned value = 0, unsigned flags = 0) {
  cudaGraphConditionalHandle handle = 0;
  REQUIRE(cudaGraphConditionalHandleCreate(&handle, graph, value, flags) == cudaSuccess);
  return handle;
}

/// What kernels set it by.
int* word_of(cudaGraphConditionalHandle handle) {
  return reinterpret_cast<int*>(handle);
}

cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional = {handle, type, size, nullptr};
  return parameters;
}

/// The bodies of a new node.
std::vector<cudaGraph_t> add_conditional(cudaGraph_t graph, std::vector<cudaGraphNode_t> after,
                                         cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                         unsigned size, cudaGraphNode_t* made = nullptr) {
  cudaGraphNodeParams parameters = conditional(handle, type, size);
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &parameters) == cudaSuccess);
  CHECK(type_of(node) == cudaGraphNodeTypeConditional);
  if (made != nullptr) *made = node;
  return {parameters.conditional.phGraph_out, parameters.conditional.phGraph_out + size};
}

void add_step(cudaGraph_t graph, int* counter, cudaGraphConditionalHandle handle) {
  void* arguments[] = {&counter, &handle};
  const cudaKernelNodeParams parameters{const_cast<void*>(kernel("step")), dim3(1), dim3(1), 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters) == cudaSuccess);
}

/// While it lives the kernel "step" takes one off a counter, and sets the condition to what is left.
struct Step {
  KernelBody body{"step", [](fake::LaunchCall& call) {
                    const auto counter = call.parameter<DeviceAddress>(0), handle = call.parameter<DeviceAddress>(8);
                    int value = 0;
                    REQUIRE(call.gpu.copy_out(std::as_writable_bytes(std::span(&value, 1)), counter));
                    --value;
                    REQUIRE(call.gpu.copy_in(counter, std::as_bytes(std::span(&value, 1))));
                    REQUIRE(call.gpu.copy_in(handle, std::as_bytes(std::span(&value, 1))));
                    LaunchOutcome outcome{LaunchStatus::ok, 0, ""};
                    outcome.touched.reads.push_back({counter, counter + 4});
                    outcome.touched.writes.push_back({counter, counter + 4});
                    outcome.touched.writes.push_back({handle, handle + 4});
                    std::ranges::sort(outcome.touched.writes, {}, &ByteRange::begin);
                    return outcome;
                  }};
};

void expect_nothing_found(Device& device) {
  const ServerReport report = device.finish();
  CHECK(report.protocol_error.empty());
  CHECK(report.findings.empty());
}

}  // namespace

TEST_CASE("a body is executed if its condition holds, and another if not") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaGraph_t graph = new_graph();
  const cudaGraphConditionalHandle handle = new_condition(graph);
  const int value = GENERATE(0, 1, 7);
  const cudaGraphNode_t sets = add_write(graph, {}, word_of(handle), value);
  cudaGraphNode_t node = nullptr;
  const auto bodies = add_conditional(graph, {sets}, handle, cudaGraphCondTypeIf, 2, &node);
  add_write(bodies[0], {}, cells, 1);
  add_write(bodies[1], {}, cells + 1, 1);
  add_write(graph, {node}, cells + 2, 1);
  CHECK(cudaGraphDestroy(bodies[0]) == cudaErrorInvalidValue);
  const cudaGraphExec_t executable = instantiated(graph);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  launch(executable, nullptr);
  CHECK(value_at(cells) == (value != 0 ? 1 : 0));
  CHECK(value_at(cells + 1) == (value != 0 ? 0 : 1));
  CHECK(value_at(cells + 2) == 1);
  REQUIRE(cudaGraphExecDestroy(executable) == cudaSuccess);
  REQUIRE(cudaFree(cells) == cudaSuccess);
  expect_nothing_found(device);
}

TEST_CASE("a body is executed while its condition holds") {
  Writer writer;
  const Step step;
  Device device;
  int* const counter = new_ints();
  const cudaStream_t stream = GENERATE(true, false) ? nullptr : new_stream(cudaStreamNonBlocking);
  const cudaGraph_t graph = new_graph();
  // Each launch begins with its default value.
  const cudaGraphConditionalHandle handle = new_condition(graph, 1, cudaGraphCondAssignDefault);
  add_step(add_conditional(graph, {}, handle, cudaGraphCondTypeWhile, 1)[0], counter, handle);
  const cudaGraphExec_t executable = instantiated(graph);
  for (const int rounds : {5, 1, 12}) {
    REQUIRE(cudaMemcpy(counter, &rounds, sizeof rounds, cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    launch(executable, stream);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(value_at(counter) == 0);
  }
  REQUIRE(cudaGraphExecDestroy(executable) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  REQUIRE(cudaFree(counter) == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(report.launch_count == 5 + 1 + 12);
  CHECK(report.findings.empty());
}

TEST_CASE("a condition chooses one of many bodies, or none, and bodies have conditions") {
  Writer writer;
  Device device;
  int* const cells = new_ints(4);
  const cudaGraph_t graph = new_graph();
  const cudaGraphConditionalHandle outer = new_condition(graph);
  const int value = GENERATE(0, 1, 2, 3);
  const cudaGraphNode_t sets = add_write(graph, {}, word_of(outer), value);
  const auto bodies = add_conditional(graph, {sets}, outer, cudaGraphCondTypeSwitch, 3);
  add_write(bodies[0], {}, cells, 10);
  add_write(bodies[1], {}, cells, 11);
  const cudaGraphConditionalHandle inner = new_condition(bodies[2], 1, cudaGraphCondAssignDefault);
  add_write(add_conditional(bodies[2], {}, inner, cudaGraphCondTypeIf, 1)[0], {}, cells, 12);
  launch(instantiated(graph), nullptr);
  CHECK(value_at(cells) == (value < 3 ? 10 + value : 0));
  REQUIRE(cudaFree(cells) == cudaSuccess);
  expect_nothing_found(device);
}

TEST_CASE("a condition that is set without order is a race") {
  Writer writer;
  Device device;
  const cudaGraph_t graph = new_graph();
  const cudaGraphConditionalHandle handle = new_condition(graph);
  add_write(graph, {}, word_of(handle), 1);
  add_conditional(graph, {}, handle, cudaGraphCondTypeIf, 1);
  launch(instantiated(graph), nullptr);
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "stream-race");
}

TEST_CASE("conditional nodes that cannot be are refused") {
  Writer writer;
  Device device;
  const cudaGraph_t graph = new_graph(), other = new_graph();
  cudaGraphConditionalHandle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 6) == cudaErrorInvalidValue);
  handle = new_condition(graph);
  const auto add = [](cudaGraph_t to, cudaGraphNodeParams parameters) {
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddNode(&node, to, nullptr, nullptr, 0, &parameters);
  };
  CHECK(add(graph, conditional(handle + 1, cudaGraphCondTypeIf, 1)) == cudaErrorInvalidValue);
  CHECK(add(graph, conditional(handle, cudaGraphCondTypeIf, 3)) == cudaErrorInvalidValue);
  CHECK(add(graph, conditional(handle, cudaGraphCondTypeWhile, 2)) == cudaErrorInvalidValue);
  CHECK(add(other, conditional(handle, cudaGraphCondTypeIf, 1)) == cudaErrorInvalidValue);
  const auto body = add_conditional(graph, {}, handle, cudaGraphCondTypeIf, 1)[0];
  CHECK(add(graph, conditional(handle, cudaGraphCondTypeIf, 1)) == cudaErrorInvalidValue);  // it has its node
  // Host functions are nothing for a body.
  const cudaHostNodeParams host{[](void*) {}, nullptr};
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddHostNode(&node, body, nullptr, 0, &host) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphDestroyNode(node) == cudaSuccess);
  executable = instantiated(graph);
  cudaGraphExecUpdateResultInfo result;
  CHECK(cudaGraphExecUpdate(executable, graph, &result) == cudaErrorGraphExecUpdateFailure);
  CHECK(result.result == cudaGraphExecUpdateErrorNotSupported);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
}

TEST_CASE("a stream can be captured to a body") {
  Writer writer;
  Device device;
  int* const cells = new_ints();
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  const cudaGraph_t graph = new_graph();
  const cudaGraphConditionalHandle handle = new_condition(graph, 1, cudaGraphCondAssignDefault);
  const auto body = add_conditional(graph, {}, handle, cudaGraphCondTypeIf, 1)[0];
  REQUIRE(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal) == cudaSuccess);
  Writer::launch(cells, 3, stream);
  CHECK(cudaStreamEndCapture(stream, nullptr) == cudaSuccess);  // the graph is known
  launch(instantiated(graph), stream);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(value_at(cells) == 3);
}
