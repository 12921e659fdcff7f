// Executable graphs: a copy of a graph, the order of its nodes, and the streams that they are launched in.
//
// A launch gives the nodes to streams in such a way that two of them have an order just where the graph says so. Lane 0
// is the stream that the program names; the others are streams of the executable graph's own. A node goes behind one
// that it depends on where it can, and waits for the others by events.
#pragma once

#include "vgpu/cudart/client/graph.h"

namespace cudalabs::vgpu::client {

struct Step {
  Node* node = nullptr;                   // null: nothing is done, it only joins others
  std::size_t first_wait = 0, waits = 0;  // in `Executable::waits`: steps of other lanes that come before it
  std::size_t lane = 0;
  std::size_t first_body = 0;  // in `Executable::bodies`, of a conditional node
  bool begins = false;         // comes after nothing of the graph
  bool is_last = false;        // nothing of the graph comes after it
  bool recorded = false;
  std::uint64_t event = 0;  // if it is recorded
};

struct Executable {
  unsigned long long graph_id = 0;  // of the graph that it was made of
  Graph* graph = nullptr;           // a copy of its own
  unsigned long long flags = 0;
  Array<Step> steps;  // in the order of issue
  Array<std::size_t> waits;
  Array<std::uint64_t> lanes;
  Array<Executable*> bodies;   // of conditional nodes
  bool is_body = false;        // `graph` is its node's
  std::uint64_t start = 0;     // event of the launch's begin, and of the one before
  bool has_resources = false;  // streams and events, on the device of this generation
  std::uint64_t device_generation = 0;
  bool launched = false;  // the stream of the last launch is known
  bool recorded = false;  // it is gone, and `start` says where the launch ended
  cudaStream_t last_stream = nullptr;
  unsigned launches = 0;  // under way
  bool destroyed = false;
};

/// cudaErrorInvalidValue where the nodes depend on each other.
cudaError_t make_executable(Graph& graph, unsigned long long flags, Executable** made);
void destroy_executable(Client& self, Executable* executable);
/// The stream of its last launch, which may be under way; null: it was not launched.
inline const cudaStream_t* last_stream_of(const Executable& executable) {
  return executable.launched ? &executable.last_stream : nullptr;
}
Executable* executable_of(cudaGraphExec_t handle);
/// Its copy of a node of the graph that it was made of, or null.
Node* copy_of(const Graph& in, const Node& node);
cudaError_t take_resources(Client& self, Executable& executable);
/// A stream is destroyed: what was launched in it keeps its order with what is launched later.
void before_stream_goes(Client& self, cudaStream_t stream);

/// One launch. `proceed` is called under the client's lock, and again each time that a host function was given to its
/// stream, until there is none; then `end`, if it has begun.
class GraphLaunch {
 public:
  cudaError_t begin(Client& self, Executable& executable, cudaStream_t stream);
  bool begun() const { return executable_ != nullptr; }
  cudaError_t proceed(Client& self, bool* has_host_function);
  const Node& host_node() const { return *executable_->steps[next_].node; }
  cudaStream_t host_stream() const { return lane_of(executable_->steps[next_]); }
  /// Something comes after the host function.
  bool goes_on() const { return next_ + 1 < executable_->steps.size(); }
  void end(Client& self);

 private:
  cudaStream_t lane_of(const Step& step) const;
  cudaError_t wait_before(Client& self, const Step& step);
  cudaError_t finish(Client& self);

  Executable* executable_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::size_t next_ = 0;
  bool host_function_given_ = false;
};

}  // namespace cudalabs::vgpu::client
