// Stream capture: what streams are given becomes nodes of a graph instead of work. While the client's lock is held.
//
// A capture has one graph. A capturing stream knows the nodes that its next one comes after; an event that is recorded
// in it keeps them, and a stream that waits for such an event captures, too.
#pragma once

#include "vgpu/cudart/client/graph.h"

namespace cudalabs::vgpu::client {

struct Capture {
  unsigned long long id = 0;
  Graph* graph = nullptr;
  bool owns_graph = true;  // it is the program's only when the capture has ended
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  pthread_t thread = {};
  cudaStream_t origin = nullptr;
  bool invalidated = false;
};

struct CapturingStream {
  cudaStream_t stream = nullptr;
  Capture* capture = nullptr;
  bool blocking = true;
  Array<Node*> next;               // what the next node comes after
  Array<cudaGraphEdgeData> edges;  // as many as the program was shown
};

/// The capturing stream for a stream's handle, or null.
CapturingStream* capturing_stream(cudaStream_t stream);
/// Before a stream is given work. Success and null: it is given to the device. Else it becomes a node, or is refused.
cudaError_t work_for(cudaStream_t stream, CapturingStream** capturing);
/// Adds a node that does `command`, which it takes over, in the place of the call in hand.
cudaError_t capture(Client& self, CapturingStream& stream, Command& command);
/// Before a stream is destroyed. What it was given stays part of its capture; one that began in it is over.
void leave_capture(cudaStream_t stream);
/// Refuses the call in hand for a capturing stream, whose capture it ends.
cudaError_t invalidate(CapturingStream& stream, cudaError_t error);
/// Before a call that asks for, or waits for, what is under way in a stream; such a call may be unsafe, too.
cudaError_t may_wait_for(cudaStream_t stream);
cudaError_t may_wait_for_event(cudaEvent_t event);
/// It was last recorded in a capture.
bool is_captured_event(cudaEvent_t event);

cudaError_t begin_capture(Client& self, cudaStream_t stream, cudaStreamCaptureMode mode, Graph* graph,
                          const Array<Node*>& next);
/// Null where an error is returned.
cudaError_t end_capture(cudaStream_t stream, Graph** graph);

/// Whether the program is to be told success, and nothing left to do.
struct Captured {
  cudaError_t status = cudaSuccess;
  bool done = false;
};
Captured capture_record(Client& self, cudaStream_t stream, cudaEvent_t event, bool external);
Captured capture_wait(Client& self, cudaStream_t stream, cudaEvent_t event, bool external);
void forget_event(cudaEvent_t event);

/// A capture that is under way adds to the graph.
bool is_captured_to(const Graph& graph);
/// The node is about to go.
void forget_captured(const Node* node);
void forget_captures();

}  // namespace cudalabs::vgpu::client
