// Captures, the streams and events that take part in them, and what joins and ends them.
#include "vgpu/cudart/client/capture.h"

#include "vgpu/cudart/client/capture_rules.h"
#include "vgpu/cudart/client/heap_object.h"

namespace cudalabs::vgpu::client {
namespace {

/// An event that was last recorded in a capture. Without a capture: in one that has ended.
struct CapturedEvent {
  cudaEvent_t event = nullptr;
  Capture* capture = nullptr;
  Array<Node*> nodes;
};

/// A stream that was destroyed: no stream's handle.
const cudaStream_t kGone = reinterpret_cast<cudaStream_t>(~std::uintptr_t{0});

constinit Array<Capture*> captures;
constinit Array<CapturingStream*> streams;
constinit Array<CapturedEvent*> events;
constinit unsigned long long last_id = 0;

bool is_legacy(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy;
}

bool copy_nodes(const Array<Node*>& from, Array<Node*>* to) {
  for (Node* node : from)
    if (!contains(*to, node) && !to->push(node)) return false;
  return true;
}

bool replace_nodes(Array<Node*>* nodes, Node* node) {
  nodes->clear();
  return nodes->push(node);
}

CapturedEvent* captured_event(cudaEvent_t event) {
  for (CapturedEvent* known : events)
    if (known->event == event) return known;
  return nullptr;
}

cudaError_t join(Client& self, Capture* capture, cudaStream_t stream, const Array<Node*>& next) {
  wire::StreamCreate info;
  const cudaError_t status = self.ask(wire::Op::stream_info, wire::Handle{stream_id(stream)}, &info);
  if (status != cudaSuccess) return status;
  auto* const joined = make<CapturingStream>();
  if (joined == nullptr || !copy_nodes(next, &joined->next) || !streams.push(joined)) {
    if (joined != nullptr) joined->next.clear();
    discard(joined);
    return cudaErrorMemoryAllocation;
  }
  joined->stream = as_any_thread(stream);
  joined->capture = capture;
  joined->blocking = (info.flags & cudaStreamNonBlocking) == 0;
  return cudaSuccess;
}

/// All that the other streams of the capture were given comes before what the origin ends with.
bool is_joined(const Capture& capture, const CapturingStream& origin) {
  mark_ancestors(*capture.graph, origin.next);
  for (const CapturingStream* stream : streams) {
    if (stream->capture != &capture || stream == &origin) continue;
    for (const Node* node : stream->next)
      if (node->number == 0) return false;
  }
  return true;
}

/// Its streams are given work again; its events stay captured ones, of no capture.
void finish(Capture* capture) {
  for (std::size_t i = streams.size(); i > 0; --i) {
    CapturingStream* const stream = streams[i - 1];
    if (stream->capture != capture) continue;
    streams.erase(i - 1);
    stream->next.clear();
    stream->edges.clear();
    discard(stream);
  }
  for (CapturedEvent* event : events) {
    if (event->capture != capture) continue;
    event->capture = nullptr;
    event->nodes.clear();
  }
  for (std::size_t i = captures.size(); i > 0; --i)
    if (captures[i - 1] == capture) captures.erase(i - 1);
  discard(capture);
}

/// Its graph goes, too.
void drop(Capture* capture) {
  Graph* const graph = capture->owns_graph ? capture->graph : nullptr;
  finish(capture);
  if (graph != nullptr) destroy_graph(graph);
}

}  // namespace

bool is_capturing() {
  return captures.size() != 0;
}

const Array<Capture*>& captures_under_way() {
  return captures;
}

CapturingStream* capturing_stream(cudaStream_t stream) {
  if (streams.size() == 0) return nullptr;
  const cudaStream_t looked_for = as_any_thread(stream);
  for (CapturingStream* known : streams)
    if (known->stream == looked_for) return known;
  return nullptr;
}

bool blocking_stream_captures() {
  for (const CapturingStream* stream : streams)
    if (stream->blocking) return true;
  return false;
}

cudaError_t invalidate_blocking() {
  bool any = false;
  for (const CapturingStream* stream : streams) {
    if (stream->blocking) any = stream->capture->invalidated = true;
  }
  return any ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaError_t work_for(cudaStream_t stream, CapturingStream** capturing) {
  *capturing = nullptr;
  if (captures.size() == 0) return cudaSuccess;
  if (is_legacy(stream)) return invalidate_blocking();
  *capturing = capturing_stream(stream);
  if (*capturing == nullptr || !(*capturing)->capture->invalidated) return cudaSuccess;
  return cudaErrorStreamCaptureInvalidated;
}

cudaError_t capture(Client& self, CapturingStream& stream, Command& command) {
  Node* const node = add_node(*stream.capture->graph, command, place_in_hand(self));
  if (node == nullptr) return cudaErrorMemoryAllocation;
  for (Node* before : stream.next)
    if (!add_edge(*before, *node)) return cudaErrorMemoryAllocation;
  return replace_nodes(&stream.next, node) ? cudaSuccess : cudaErrorMemoryAllocation;
}

void leave_capture(cudaStream_t stream) {
  CapturingStream* const capturing = capturing_stream(stream);
  if (capturing == nullptr) return;
  if (capturing->capture->origin == capturing->stream) {
    drop(capturing->capture);
  } else {
    capturing->stream = kGone;
  }
}

cudaError_t invalidate(CapturingStream& stream, cudaError_t error) {
  stream.capture->invalidated = true;
  return error;
}

cudaError_t may_wait_for(cudaStream_t stream) {
  if (captures.size() == 0) return cudaSuccess;
  if (is_legacy(stream)) {
    if (const cudaError_t status = invalidate_blocking(); status != cudaSuccess) return status;
  }
  CapturingStream* const capturing = capturing_stream(stream);
  return capturing == nullptr ? refuse_if_unsafe() : invalidate(*capturing, cudaErrorStreamCaptureUnsupported);
}

cudaError_t may_wait_for_event(cudaEvent_t event) {
  const CapturedEvent* const captured = captured_event(event);
  if (captured == nullptr) return cudaSuccess;
  if (captured->capture == nullptr) return cudaErrorInvalidValue;
  captured->capture->invalidated = true;
  return cudaErrorCapturedEvent;
}

bool is_captured_event(cudaEvent_t event) {
  return captured_event(event) != nullptr;
}

cudaError_t begin_capture(Client& self, cudaStream_t stream, cudaStreamCaptureMode mode, Graph* graph,
                          const Array<Node*>& next) {
  if (is_legacy(stream)) return cudaErrorStreamCaptureUnsupported;
  if (capturing_stream(stream) != nullptr) return cudaErrorIllegalState;
  auto* const capture = make<Capture>();
  if (capture == nullptr) return cudaErrorMemoryAllocation;
  capture->id = ++last_id;
  capture->owns_graph = graph == nullptr;
  capture->graph = graph != nullptr ? graph : make_graph();
  capture->mode = mode;
  capture->thread = pthread_self();
  capture->origin = as_any_thread(stream);
  if (capture->graph == nullptr || !captures.push(capture)) {
    if (capture->owns_graph && capture->graph != nullptr) destroy_graph(capture->graph);
    discard(capture);
    return cudaErrorMemoryAllocation;
  }
  const cudaError_t status = join(self, capture, stream, next);
  if (status != cudaSuccess) drop(capture);
  return status;
}

cudaError_t end_capture(cudaStream_t stream, Graph** graph) {
  *graph = nullptr;
  CapturingStream* const origin = capturing_stream(stream);
  if (origin == nullptr) return cudaErrorIllegalState;
  Capture* const capture = origin->capture;
  if (capture->origin != origin->stream) {
    capture->invalidated = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  cudaError_t status = cudaSuccess;
  if (capture->mode != cudaStreamCaptureModeRelaxed && pthread_equal(capture->thread, pthread_self()) == 0) {
    status = cudaErrorStreamCaptureWrongThread;
  } else if (capture->invalidated) {
    status = cudaErrorStreamCaptureInvalidated;
  } else if (!is_joined(*capture, *origin)) {
    status = cudaErrorStreamCaptureUnjoined;
  }
  if (status == cudaSuccess) {
    *graph = capture->graph;
    finish(capture);
  } else {
    drop(capture);
  }
  return status;
}

Captured capture_record(Client& self, cudaStream_t stream, cudaEvent_t event, bool external) {
  CapturingStream* capturing = nullptr;
  if (const cudaError_t status = work_for(stream, &capturing); status != cudaSuccess) return {status, true};
  if (capturing == nullptr) {
    forget_event(event);
    return {};
  }
  if (external) {
    Command command;
    command.type = cudaGraphNodeTypeEventRecord;
    command.event = event;
    return {capture(self, *capturing, command), true};
  }
  CapturedEvent* known = captured_event(event);
  if (known == nullptr) {
    known = make<CapturedEvent>();
    if (known == nullptr || !events.push(known)) {
      discard(known);
      return {cudaErrorMemoryAllocation, true};
    }
    known->event = event;
  }
  known->capture = capturing->capture;
  known->nodes.clear();
  return {copy_nodes(capturing->next, &known->nodes) ? cudaSuccess : cudaErrorMemoryAllocation, true};
}

Captured capture_wait(Client& self, cudaStream_t stream, cudaEvent_t event, bool external) {
  CapturingStream* capturing = nullptr;
  if (const cudaError_t status = work_for(stream, &capturing); status != cudaSuccess) return {status, true};
  CapturedEvent* const known = captured_event(event);
  if (capturing == nullptr) {
    if (known == nullptr) return {};
    if (known->capture == nullptr) return {cudaErrorInvalidValue, true};
    if (known->capture->invalidated) return {cudaErrorStreamCaptureInvalidated, true};
    if (is_legacy(stream)) {
      known->capture->invalidated = true;
      return {cudaErrorStreamCaptureImplicit, true};
    }
    return {join(self, known->capture, stream, known->nodes), true};
  }
  if (external) {
    Command command;
    command.type = cudaGraphNodeTypeWaitEvent;
    command.event = event;
    return {capture(self, *capturing, command), true};
  }
  if (known == nullptr || known->capture == nullptr)
    return {invalidate(*capturing, known == nullptr ? cudaErrorStreamCaptureIsolation : cudaErrorInvalidValue), true};
  if (known->capture != capturing->capture) {
    known->capture->invalidated = true;
    return {invalidate(*capturing, cudaErrorStreamCaptureMerge), true};
  }
  return {copy_nodes(known->nodes, &capturing->next) ? cudaSuccess : cudaErrorMemoryAllocation, true};
}

void forget_event(cudaEvent_t event) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    CapturedEvent* const known = events[i];
    if (known->event != event) continue;
    events.erase(i);
    known->nodes.clear();
    discard(known);
    return;
  }
}

bool is_captured_to(const Graph& graph) {
  for (const Capture* capture : captures)
    if (capture->graph == &graph) return true;
  return false;
}

void forget_captured(const Node* node) {
  if (captures.size() == 0) return;
  const auto forget = [node](Array<Node*>& nodes) {
    for (std::size_t i = nodes.size(); i > 0; --i)
      if (nodes[i - 1] == node) nodes.erase(i - 1);
  };
  for (CapturingStream* stream : streams) forget(stream->next);
  for (CapturedEvent* event : events) forget(event->nodes);
}

void forget_captures() {
  while (captures.size() > 0) drop(captures[0]);
  while (events.size() > 0) forget_event(events[0]->event);
}

}  // namespace cudalabs::vgpu::client
