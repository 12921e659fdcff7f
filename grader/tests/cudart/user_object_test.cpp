// Objects of the program that graphs keep alive: who has references, and when the last one goes.
#include <atomic>
#include <climits>

#include "catch/catch.h"
#include "graphs.h"

namespace cudalabs::vgpu::test {
namespace {

/// An object, and how often its destructor was called.
struct Counted {
  explicit Counted(unsigned int references = 1) {
    REQUIRE(cudaUserObjectCreate(&handle, this, destroy, references, cudaUserObjectNoDestructorSync) == cudaSuccess);
  }
  static void destroy(void* data) {
    auto* const self = static_cast<Counted*>(data);
    ++self->destroyed;
    self->status = cudaDeviceSynchronize();
  }
  /// The destructor has been called by now, or is not going to be.
  int count() const {
    cudaDeviceSynchronize();
    return destroyed;
  }
  cudaUserObject_t handle = nullptr;
  std::atomic<int> destroyed = 0;
  std::atomic<cudaError_t> status = cudaSuccess;
};

void retain(cudaGraph_t graph, const Counted& object, unsigned int count = 1) {
  REQUIRE(cudaGraphRetainUserObject(graph, object.handle, count, cudaGraphUserObjectMove) == cudaSuccess);
}

}  // namespace

TEST_CASE("an object's destructor is called when the last reference goes, and must not call the runtime") {
  Device device;
  Counted object(2);
  CHECK(cudaUserObjectRetain(object.handle, 1) == cudaSuccess);
  CHECK(cudaUserObjectRelease(object.handle, 2) == cudaSuccess);
  CHECK(object.count() == 0);
  CHECK(cudaUserObjectRelease(object.handle, 1) == cudaSuccess);
  CHECK(object.count() == 1);
  CHECK(object.status == cudaErrorNotPermitted);
  CHECK(cudaUserObjectRelease(object.handle, 1) == cudaErrorInvalidValue);
}

TEST_CASE("what is no object, or no number of references, is refused") {
  Device device;
  cudaUserObject_t made = nullptr;
  Counted object;
  const auto create = [&](cudaUserObject_t* to, cudaHostFn_t destroy, unsigned int count, unsigned int flags) {
    return cudaUserObjectCreate(to, nullptr, destroy, count, flags);
  };
  CHECK(create(nullptr, Counted::destroy, 1, cudaUserObjectNoDestructorSync) == cudaErrorInvalidValue);
  CHECK(create(&made, nullptr, 1, cudaUserObjectNoDestructorSync) == cudaErrorInvalidValue);
  CHECK(create(&made, Counted::destroy, 0, cudaUserObjectNoDestructorSync) == cudaErrorInvalidValue);
  CHECK(create(&made, Counted::destroy, 1u + INT_MAX, cudaUserObjectNoDestructorSync) == cudaErrorInvalidValue);
  CHECK(create(&made, Counted::destroy, 1, 0) == cudaErrorInvalidValue);
  CHECK(cudaUserObjectRetain(nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaUserObjectRetain(object.handle, 0) == cudaErrorInvalidValue);
  CHECK(cudaUserObjectRelease(object.handle, 2) == cudaErrorInvalidValue);
  const cudaGraph_t graph = new_graph();
  CHECK(cudaGraphRetainUserObject(graph, object.handle, 2, cudaGraphUserObjectMove) == cudaErrorInvalidValue);
  CHECK(cudaGraphRetainUserObject(graph, object.handle, 1, 2) == cudaErrorInvalidValue);
  CHECK(cudaGraphRetainUserObject(nullptr, object.handle, 1, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphReleaseUserObject(graph, object.handle, 1) == cudaErrorInvalidValue);
  CHECK(object.count() == 0);
}

TEST_CASE("a graph, its copies and executable graphs keep references of their own") {
  Device device;
  Counted object;
  const cudaGraph_t graph = new_graph();
  SECTION("moved and given back") {
    retain(graph, object);
    CHECK(cudaUserObjectRelease(object.handle, 1) == cudaErrorInvalidValue);
    CHECK(cudaGraphReleaseUserObject(graph, object.handle, 1) == cudaSuccess);
    CHECK(object.count() == 1);
  }
  SECTION("the program has one, too") {
    CHECK(cudaGraphRetainUserObject(graph, object.handle, 1, 0) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(object.count() == 0);
    CHECK(cudaUserObjectRelease(object.handle, 1) == cudaSuccess);
    CHECK(object.count() == 1);
  }
  SECTION("an executable graph outlives its graph") {
    retain(graph, object);
    const cudaGraphExec_t executable = instantiated(graph);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(object.count() == 0);
    CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
    CHECK(object.count() == 1);
  }
  SECTION("a copy") {
    retain(graph, object);
    cudaGraph_t clone = nullptr;
    REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(object.count() == 0);
    CHECK(cudaGraphDestroy(clone) == cudaSuccess);
    CHECK(object.count() == 1);
  }
  SECTION("a child graph has those that it had when it became one") {
    retain(graph, object);
    const cudaGraph_t parent = new_graph();
    cudaGraphNode_t node = nullptr;
    REQUIRE(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph) == cudaSuccess);
    CHECK(cudaGraphReleaseUserObject(parent, object.handle, 1) == cudaErrorInvalidValue);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(object.count() == 0);
    CHECK(cudaGraphDestroyNode(node) == cudaSuccess);
    CHECK(object.count() == 1);
  }
}

TEST_CASE("an update gives an executable graph the references of the graph") {
  Device device;
  Counted old, fresh;
  const cudaGraph_t first = new_graph(), second = new_graph();
  retain(first, old);
  retain(second, fresh);
  const cudaGraphExec_t executable = instantiated(first);
  cudaGraphExecUpdateResultInfo result{};
  REQUIRE(cudaGraphExecUpdate(executable, second, &result) == cudaSuccess);
  CHECK(cudaGraphDestroy(first) == cudaSuccess);
  CHECK(cudaGraphDestroy(second) == cudaSuccess);
  CHECK(old.count() == 1);
  CHECK(fresh.count() == 0);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(fresh.count() == 1);
}

TEST_CASE("a launch that is under way keeps the references of its executable graph") {
  BusyKernel busy;
  Device device;
  Counted object;
  const cudaStream_t stream = new_stream();
  begin(stream);
  busy.start(stream);
  const cudaGraph_t graph = end(stream);
  retain(graph, object);
  const cudaGraphExec_t executable = instantiated(graph);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  launch(executable, stream);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(object.destroyed == 0);
  busy.gate.open();
  CHECK(object.count() == 1);
}

}  // namespace cudalabs::vgpu::test
