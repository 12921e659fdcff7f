// The runtime API: stream capture.
#include "vgpu/cudart/client/capture_rules.h"
#include "vgpu/cudart/client/graph_of_call.h"

namespace cudalabs::vgpu::client {
namespace {

bool is_mode(cudaStreamCaptureMode mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

/// The nodes of the graph that the handles are of.
cudaError_t nodes_of(const Graph& graph, const cudaGraphNode_t* handles, std::size_t count, Array<Node*>* nodes) {
  if (count > 0 && handles == nullptr) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    Node* const node = node_of(graph, handles[i]);
    if (node == nullptr) return cudaErrorInvalidValue;
    if (!contains(*nodes, node) && !nodes->push(node)) return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

cudaStreamCaptureStatus status_of(const CapturingStream* stream) {
  if (stream == nullptr) return cudaStreamCaptureStatusNone;
  return stream->capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

/// cudaErrorInvalidResourceHandle where there is no such stream, and cudaErrorStreamCaptureImplicit for the legacy
/// default stream while one that it would wait for captures.
cudaError_t look_at(Client& self, cudaStream_t stream, CapturingStream** capturing) {
  *capturing = capturing_stream(stream);
  if (*capturing != nullptr) return cudaSuccess;
  if ((stream == nullptr || stream == cudaStreamLegacy) && is_capturing() && blocking_stream_captures())
    return cudaErrorStreamCaptureImplicit;
  wire::StreamCreate info;
  return self.ask(wire::Op::stream_info, wire::Handle{stream_id(stream)}, &info);
}

}  // namespace

CUDALABS_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return answer(wire::call("cudaStreamBeginCapture"), call_site(), [&](Client& self) {
    if (!is_mode(mode)) return cudaErrorInvalidValue;
    return begin_capture(self, stream, mode, nullptr, {});
  });
}

CUDALABS_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t handle,
                                                       const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                                       size_t count, cudaStreamCaptureMode mode) {
  return answer(wire::call("cudaStreamBeginCaptureToGraph"), call_site(), [&](Client& self) {
    Graph* const graph = graph_of(handle);
    if (graph == nullptr || !is_mode(mode)) return cudaErrorInvalidValue;
    Array<Node*> next;
    cudaError_t status = nodes_of(*graph, dependencies, count, &next);
    if (status == cudaSuccess) status = begin_capture(self, stream, mode, graph, next);
    next.clear();
    return status;
  });
}

CUDALABS_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return answer(wire::call("cudaStreamEndCapture"), call_site(), [&](Client&) {
    // A graph that the program has given it knows already.
    const CapturingStream* const capturing = capturing_stream(stream);
    const bool is_known = capturing != nullptr && !capturing->capture->owns_graph;
    if (graph == nullptr && !is_known) return cudaErrorInvalidValue;
    Graph* captured = nullptr;
    const cudaError_t status = end_capture(stream, &captured);
    if (graph != nullptr) *graph = captured == nullptr ? nullptr : handle_of(captured);
    return status;
  });
}

CUDALABS_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return answer(wire::call("cudaStreamIsCapturing"), call_site(), [&](Client& self) {
    if (status == nullptr) return cudaErrorInvalidValue;
    CapturingStream* capturing = nullptr;
    const cudaError_t known = look_at(self, stream, &capturing);
    if (known == cudaSuccess) *status = status_of(capturing);
    return known;
  });
}

CUDALABS_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                  unsigned long long* id, cudaGraph_t* graph,
                                                  const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                                  size_t* count) {
  return answer(wire::call("cudaStreamGetCaptureInfo"), call_site(), [&](Client& self) {
    if (status == nullptr) return cudaErrorInvalidValue;
    CapturingStream* capturing = nullptr;
    const cudaError_t known = look_at(self, stream, &capturing);
    if (known != cudaSuccess) return known;
    *status = status_of(capturing);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id != nullptr) *id = capturing->capture->id;
    if (graph != nullptr) *graph = handle_of(capturing->capture->graph);
    if (dependencies != nullptr) *dependencies = reinterpret_cast<const cudaGraphNode_t*>(capturing->next.begin());
    while (capturing->edges.size() < capturing->next.size())
      if (!capturing->edges.push({})) return cudaErrorMemoryAllocation;
    if (edges != nullptr) *edges = capturing->edges.begin();
    if (count != nullptr) *count = capturing->next.size();
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                             const cudaGraphEdgeData*, size_t count,
                                                             unsigned int flags) {
  return answer(wire::call("cudaStreamUpdateCaptureDependencies"), call_site(), [&](Client&) {
    CapturingStream* const capturing = capturing_stream(stream);
    if (capturing == nullptr) return cudaErrorIllegalState;
    if (capturing->capture->invalidated) return cudaErrorStreamCaptureInvalidated;
    if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    Array<Node*> next;
    if (flags == cudaStreamAddCaptureDependencies) {
      for (Node* node : capturing->next)
        if (!next.push(node)) return cudaErrorMemoryAllocation;
    }
    const cudaError_t status = nodes_of(*capturing->capture->graph, dependencies, count, &next);
    bool has_room = true;
    if (status == cudaSuccess) {
      capturing->next.clear();
      for (Node* node : next) has_room = capturing->next.push(node) && has_room;
    }
    next.clear();
    return has_room ? status : cudaErrorMemoryAllocation;
  });
}

CUDALABS_API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return answer_here(wire::call("cudaThreadExchangeStreamCaptureMode"), call_site(), [&](Client&) {
    if (mode == nullptr || !is_mode(*mode)) return cudaErrorInvalidValue;
    const cudaStreamCaptureMode before = mode_of_thread();
    mode_of_thread() = *mode;
    *mode = before;
    return cudaSuccess;
  });
}

}  // namespace cudalabs::vgpu::client
