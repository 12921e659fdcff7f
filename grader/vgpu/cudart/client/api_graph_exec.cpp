// The runtime API: executable graphs, made, updated, launched and destroyed.
#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/graph_memory.h"
#include "vgpu/cudart/client/graph_of_call.h"
#include "vgpu/cudart/client/graph_update.h"
#include "vgpu/cudart/client/host_functions.h"

namespace cudalabs::vgpu::client {
namespace {

constexpr unsigned long long kKnownFlags = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                           cudaGraphInstantiateFlagDeviceLaunch |
                                           cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(Client& self, cudaGraphExec_t* handle, Graph& graph, unsigned long long flags) {
  if (handle == nullptr || (flags & ~kKnownFlags) != 0) return cudaErrorInvalidValue;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
    return refuse_part(self, wire::UnsupportedPart::device_launch);
  const bool has_memory = holds_memory_nodes(graph);
  if (has_memory && graph.executables != 0) return refuse_memory_nodes(self);
  Executable* executable = nullptr;
  const cudaError_t status = make_executable(graph, flags, &executable);
  if (status != cudaSuccess) return status;
  if (has_memory) ++graph.executables;
  *handle = reinterpret_cast<cudaGraphExec_t>(executable);
  return cudaSuccess;
}

cudaError_t instantiate(std::uint16_t call, CallSite site, cudaGraphExec_t* handle, cudaGraph_t graph,
                        unsigned long long flags) {
  return with_graph(call, site, graph,
                    [&](Client& self, Graph& found) { return instantiate(self, handle, found, flags); });
}

template <class Body>
cudaError_t with_executable(std::uint16_t call, CallSite site, cudaGraphExec_t handle, Body&& body) {
  return answer_here(call, site, [&](Client& self) {
    Executable* const executable = executable_of(handle);
    return executable == nullptr ? cudaErrorInvalidValue : body(self, *executable);
  });
}

/// What an earlier launch has allocated and nobody has freed.
cudaError_t free_left_over(Client& self, const Executable& executable, cudaStream_t stream) {
  for (const Step& step : executable.steps) {
    if (step.node == nullptr || step.node->command.type != cudaGraphNodeTypeMemAlloc) continue;
    void* const pointer = step.node->command.allocation.dptr;
    if (self.allocations.at(address_of(pointer)) == nullptr) continue;
    if ((executable.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0) return cudaErrorInvalidValue;
    const cudaError_t status = release_in_order(self, pointer, stream);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

/// The launch, held from its begin to its end; host functions are called while nobody holds the client.
class LaunchInSteps {
 public:
  LaunchInSteps(CallSite site, cudaGraphExec_t handle, cudaStream_t stream)
      : site_(site), handle_(handle), stream_(stream) {}

  cudaError_t run() {
    cudaError_t status = settle_background();
    if (status != cudaSuccess) return remember(status);
    GraphLaunch launch;
    status = step([&](Client& self) { return begin(self, launch); });
    if (!launch.begun()) return remember(status);
    bool has_host_function = true;
    while (status == cudaSuccess && has_host_function) {
      status = step([&](Client& self) { return launch.proceed(self, &has_host_function); });
      if (status == cudaSuccess && has_host_function) status = call_host_function(launch);
    }
    step([&](Client& self) {
      launch.end(self);
      self.note(status, cudaSuccess, stream_);
      return status;
    });
    return remember(status);
  }

 private:
  template <class Body>
  cudaError_t step(Body&& body) {
    const Lock lock;
    Client& self = client();
    cudaError_t status = self.connect();
    if (status != cudaSuccess) return status;
    self.begin_call(wire::call("cudaGraphLaunch"), site_);
    return body(self);
  }

  cudaError_t begin(Client& self, GraphLaunch& launch) {
    Executable* const executable = executable_of(handle_);
    cudaError_t status = executable == nullptr ? cudaErrorInvalidValue : cudaSuccess;
    bool done = status != cudaSuccess;
    if (!done) {
      const Captured captured = refuse_capture(stream_);  // as a GPU does, in all modes
      status = captured.status;
      done = captured.done;
    }
    if (!done) status = free_left_over(self, *executable, stream_);
    if (!done && status == cudaSuccess) status = launch.begin(self, *executable, stream_);
    if (status != cudaSuccess) self.note(status, cudaSuccess, stream_);
    return status;
  }

  static cudaError_t call_host_function(const GraphLaunch& launch) {
    const cudaHostNodeParams& host = launch.host_node().command.host;
    const cudaError_t status =
        enqueue(launch.host_node().place, launch.host_stream(), {host.fn, nullptr, host.userData});
    return status == cudaSuccess && launch.goes_on() ? settle_background() : status;
  }

  const CallSite site_;
  const cudaGraphExec_t handle_;
  const cudaStream_t stream_;
};

}  // namespace

CUDALABS_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                              unsigned long long flags) {
  return instantiate(wire::call("cudaGraphInstantiate"), call_site(), executable, graph, flags);
}

CUDALABS_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                       unsigned long long flags) {
  return instantiate(wire::call("cudaGraphInstantiateWithFlags"), call_site(), executable, graph, flags);
}

CUDALABS_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                        cudaGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return remember(cudaErrorInvalidValue);
  const cudaError_t status =
      instantiate(wire::call("cudaGraphInstantiateWithParams"), call_site(), executable, graph, parameters->flags);
  parameters->errNode_out = nullptr;
  parameters->result_out = status == cudaSuccess             ? cudaGraphInstantiateSuccess
                           : status == cudaErrorInvalidValue ? cudaGraphInstantiateInvalidStructure
                                                             : cudaGraphInstantiateError;
  return status;
}

CUDALABS_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return with_executable(wire::call("cudaGraphExecGetFlags"), call_site(), handle,
                         [&](Client&, Executable& executable) {
                           if (flags == nullptr) return cudaErrorInvalidValue;
                           *flags = executable.flags;
                           return cudaSuccess;
                         });
}

CUDALABS_API cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return with_executable(wire::call("cudaGraphUpload"), call_site(), handle, [&](Client& self, Executable& executable) {
    const Captured captured = refuse_capture(stream);
    return captured.done ? captured.status : take_resources(self, executable);
  });
}

CUDALABS_API cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return LaunchInSteps(call_site(), executable, stream).run();
}

CUDALABS_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                             cudaGraphExecUpdateResultInfo* result) {
  return with_executable(wire::call("cudaGraphExecUpdate"), call_site(), handle, [&](Client&, Executable& executable) {
    const Graph* const found = graph_of(graph);
    if (found == nullptr || result == nullptr) return cudaErrorInvalidValue;
    return update(executable, *found, result);
  });
}

CUDALABS_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return with_executable(wire::call("cudaGraphExecDestroy"), call_site(), handle,
                         [](Client& self, Executable& executable) {
                           if (Graph* const graph = graph_with_id(executable.graph_id); graph != nullptr)
                             graph->executables -= graph->executables > 0 ? 1 : 0;
                           destroy_executable(self, &executable);
                           return cudaSuccess;
                         });
}

}  // namespace cudalabs::vgpu::client
