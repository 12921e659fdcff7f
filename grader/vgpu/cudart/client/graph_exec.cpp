// Executable graphs: how they are made, and the streams and events that they use.
#include "vgpu/cudart/client/graph_exec.h"

#include "vgpu/cudart/client/conditions.h"
#include "vgpu/cudart/client/heap_object.h"
#include "vgpu/cudart/client/user_objects.h"

namespace cudalabs::vgpu::client {
namespace {

constexpr std::size_t kMostLanes = 64;  // a graph that is wider has more order than it says

constinit Array<Executable*> executables;

cudaError_t make_body(Graph& graph, Executable** made);

/// Makes the steps of a graph, and of those in it.
class Planner {
 public:
  explicit Planner(Executable& executable) : executable_(executable) {}
  ~Planner() { tails_.clear(); }

  /// `before`: the step that the graph's first nodes come after, or none.
  cudaError_t add(Graph& graph, const std::size_t* before, Array<std::size_t>* ends) {
    Array<Node*> sorted;
    cudaError_t status = sort_nodes(graph, &sorted);
    for (Node* node : sorted) {
      if (status == cudaSuccess) status = add(*node, before);
    }
    // `number` is the step that a node ends with.
    for (const Node* node : sorted)
      if (status == cudaSuccess && node->after.size() == 0 && !ends->push(node->number))
        status = cudaErrorMemoryAllocation;
    sorted.clear();
    return status;
  }

 private:
  cudaError_t add(Node& node, const std::size_t* before) {
    Array<std::size_t> needs;
    bool has_room = true;
    for (const Node* other : node.before) has_room = needs.push(other->number) && has_room;
    if (needs.size() == 0 && before != nullptr) has_room = needs.push(*before) && has_room;
    cudaError_t status =
        has_room ? add_step(node.command.child == nullptr ? &node : nullptr, needs) : cudaErrorMemoryAllocation;
    needs.clear();
    if (status == cudaSuccess) status = add_bodies(node.command.conditional);
    if (status == cudaSuccess && node.command.child != nullptr) {
      const std::size_t begin = executable_.steps.size() - 1;
      status = add(*node.command.child, &begin, &needs);
      if (status == cudaSuccess && needs.size() == 0 && !needs.push(begin)) status = cudaErrorMemoryAllocation;
      if (status == cudaSuccess) status = add_step(nullptr, needs);
      needs.clear();
    }
    node.number = executable_.steps.size() - 1;
    return status;
  }

  /// Of the step that was added last, where it is a conditional node.
  cudaError_t add_bodies(const ConditionalCommand& conditional) {
    executable_.steps[executable_.steps.size() - 1].first_body = executable_.bodies.size();
    for (unsigned i = 0; i < conditional.count; ++i) {
      Executable* body = nullptr;
      const cudaError_t status = make_body(*conditional.bodies[i], &body);
      if (status != cudaSuccess) return status;
      if (!executable_.bodies.push(body)) return cudaErrorMemoryAllocation;
    }
    return cudaSuccess;
  }

  /// Behind the first of the steps that is the last one of its lane.
  std::size_t lane_for(const Array<std::size_t>& needs) {
    for (const std::size_t step : needs) {
      const std::size_t lane = executable_.steps[step].lane;
      if (tails_[lane] == step) return lane;
    }
    return tails_.size() < kMostLanes ? tails_.size() : executable_.steps.size() % kMostLanes;
  }

  cudaError_t add_step(Node* node, const Array<std::size_t>& needs) {
    Step step;
    step.node = node;
    step.lane = lane_for(needs);
    step.begins = needs.size() == 0;
    step.is_last = true;
    step.first_wait = executable_.waits.size();
    for (const std::size_t other : needs) {
      Step& before = executable_.steps[other];
      before.is_last = false;
      if (before.lane == step.lane) continue;
      before.recorded = true;
      ++step.waits;
      if (!executable_.waits.push(other)) return cudaErrorMemoryAllocation;
    }
    const std::size_t number = executable_.steps.size();
    if (!executable_.steps.push(step)) return cudaErrorMemoryAllocation;
    if (step.lane == tails_.size())
      return tails_.push(number) && executable_.lanes.push(0) ? cudaSuccess : cudaErrorMemoryAllocation;
    tails_[step.lane] = number;
    return cudaSuccess;
  }

  Executable& executable_;
  Array<std::size_t> tails_;  // of lanes: their last steps
};

/// What the library asks on its own account.
template <class Request, class... Result>
cudaError_t ask_quietly(Client& self, wire::Op op, const Request& request, Result*... result) {
  const Attributed quietly(self, {});
  return self.ask(op, request, result...);
}

cudaError_t record(Client& self, cudaStream_t stream, std::uint64_t event) {
  return ask_quietly(self, wire::Op::event_record, wire::StreamEvent{stream_id(stream), event});
}
cudaError_t wait(Client& self, cudaStream_t stream, std::uint64_t event) {
  return ask_quietly(self, wire::Op::stream_wait, wire::StreamEvent{stream_id(stream), event});
}

cudaError_t make_event(Client& self, std::uint64_t* event) {
  wire::Handle handle;
  const cudaError_t status =
      ask_quietly(self, wire::Op::event_create, wire::EventCreate{cudaEventDisableTiming, 0}, &handle);
  *event = handle.id;
  return status;
}

void give_resources_back(Client& self, Executable& executable) {
  for (Executable* body : executable.bodies) give_resources_back(self, *body);
  const bool known = executable.has_resources && executable.device_generation == self.device_generation();
  for (Step& step : executable.steps) {
    if (known && step.event != 0) ask_quietly(self, wire::Op::event_destroy, wire::Handle{step.event});
    step.event = 0;
  }
  if (known && executable.start != 0) ask_quietly(self, wire::Op::event_destroy, wire::Handle{executable.start});
  executable.start = 0;
  for (std::uint64_t& lane : executable.lanes) {
    if (known && lane != 0) ask_quietly(self, wire::Op::stream_destroy, wire::Handle{lane});
    lane = 0;
  }
  executable.has_resources = executable.launched = executable.recorded = false;
}

void discard_executable(Executable* executable) {
  for (std::size_t i = 0; i < executables.size(); ++i) {
    if (executables[i] != executable) continue;
    executables.erase(i);
    break;
  }
  for (Executable* body : executable->bodies) discard_executable(body);
  if (executable->graph != nullptr && !executable->is_body) destroy_graph(executable->graph);
  executable->bodies.clear();
  executable->steps.clear();
  executable->waits.clear();
  executable->lanes.clear();
  discard(executable);
}

/// Discards what is not whole.
cudaError_t complete(Executable* executable, cudaError_t status, Executable** made) {
  if (status == cudaSuccess) {
    Array<std::size_t> ends;
    status = Planner(*executable).add(*executable->graph, nullptr, &ends);
    ends.clear();
  }
  for (Step& step : executable->steps) step.recorded = step.recorded || (step.is_last && step.lane != 0);
  if (status == cudaSuccess && !executables.push(executable)) status = cudaErrorMemoryAllocation;
  if (status == cudaSuccess) {
    *made = executable;
  } else {
    discard_executable(executable);
  }
  return status;
}

cudaError_t make_body(Graph& graph, Executable** made) {
  if (!may_be_body(graph)) return cudaErrorInvalidValue;
  auto* const executable = make<Executable>();
  if (executable == nullptr) return cudaErrorMemoryAllocation;
  executable->graph = &graph;
  executable->is_body = true;
  return complete(executable, cudaSuccess, made);
}

}  // namespace

cudaError_t make_executable(Graph& graph, unsigned long long flags, Executable** made) {
  auto* const executable = make<Executable>();
  if (executable == nullptr) return cudaErrorMemoryAllocation;
  executable->graph_id = graph.id;
  executable->flags = flags;
  return complete(executable, clone_graph(graph, &executable->graph, true), made);
}

void destroy_executable(Client& self, Executable* executable) {
  executable->destroyed = true;
  if (executable->launches != 0) return;  // the launch does it
  // The stream is gone, and perhaps its work is not done.
  if (executable->recorded && holds_references(*executable->graph))
    ask_quietly(self, wire::Op::event_synchronize, wire::Handle{executable->start});
  release_references(*executable->graph, last_stream_of(*executable));
  give_resources_back(self, *executable);
  discard_executable(executable);
}

Executable* executable_of(cudaGraphExec_t handle) {
  for (Executable* executable : executables)
    if (!executable->is_body && !executable->destroyed && reinterpret_cast<cudaGraphExec_t>(executable) == handle)
      return executable;
  return nullptr;
}

Node* copy_of(const Graph& in, const Node& node) {
  for (Node* candidate : in.nodes) {
    if (candidate->source == node.id) return candidate;
    for (unsigned i = 0; i < candidate->command.conditional.count; ++i)
      if (Node* const found = copy_of(*candidate->command.conditional.bodies[i], node)) return found;
    if (candidate->command.child == nullptr) continue;
    if (Node* const found = copy_of(*candidate->command.child, node)) return found;
  }
  return nullptr;
}

cudaError_t take_resources(Client& self, Executable& executable) {
  if (executable.has_resources && executable.device_generation == self.device_generation()) return cudaSuccess;
  give_resources_back(self, executable);
  executable.has_resources = true;
  executable.device_generation = self.device_generation();
  cudaError_t status = make_event(self, &executable.start);
  for (std::size_t i = 1; i < executable.lanes.size() && status == cudaSuccess; ++i) {
    wire::Handle handle;
    status = ask_quietly(self, wire::Op::stream_create,
                         wire::StreamCreate{cudaStreamNonBlocking | wire::kStreamOfGraph, 0}, &handle);
    executable.lanes[i] = handle.id;
  }
  for (Step& step : executable.steps)
    if (step.recorded && status == cudaSuccess) status = make_event(self, &step.event);
  if (status != cudaSuccess) give_resources_back(self, executable);
  return status;
}

void before_stream_goes(Client& self, cudaStream_t stream) {
  for (Executable* executable : executables) {
    if (!executable->launched || executable->last_stream != stream) continue;
    executable->launched = false;
    executable->recorded = executable->device_generation == self.device_generation() &&
                           record(self, stream, executable->start) == cudaSuccess;
  }
}

cudaStream_t GraphLaunch::lane_of(const Step& step) const {
  return step.lane == 0 ? stream_ : reinterpret_cast<cudaStream_t>(executable_->lanes[step.lane]);
}

cudaError_t GraphLaunch::begin(Client& self, Executable& executable, cudaStream_t in_stream) {
  const cudaStream_t stream = as_any_thread(in_stream);
  cudaError_t status = take_resources(self, executable);
  if (status != cudaSuccess) return status;
  // Launches of one executable graph come one after another, whatever streams they are in.
  const bool elsewhere = executable.launched && executable.last_stream != stream;
  if (elsewhere) status = record(self, executable.last_stream, executable.start);
  if (status == cudaSuccess && (elsewhere || executable.recorded)) status = wait(self, stream, executable.start);
  executable.recorded = false;
  if (status == cudaSuccess && !executable.is_body) status = assign_conditions(self, executable, stream);
  bool forks = false;
  for (const Step& step : executable.steps) forks = forks || (step.begins && step.lane != 0);
  if (status == cudaSuccess && forks) status = record(self, stream, executable.start);
  if (status != cudaSuccess) return status;
  executable.launched = true;
  executable.last_stream = stream;
  ++executable.launches;
  executable_ = &executable;
  stream_ = stream;
  return cudaSuccess;
}

cudaError_t GraphLaunch::wait_before(Client& self, const Step& step) {
  cudaError_t status = cudaSuccess;
  if (step.begins && step.lane != 0) status = wait(self, lane_of(step), executable_->start);
  for (std::size_t i = 0; i < step.waits && status == cudaSuccess; ++i)
    status = wait(self, lane_of(step), executable_->steps[executable_->waits[step.first_wait + i]].event);
  return status;
}

cudaError_t GraphLaunch::proceed(Client& self, bool* has_host_function) {
  *has_host_function = false;
  for (; next_ < executable_->steps.size(); ++next_) {
    const Step& step = executable_->steps[next_];
    cudaError_t status = host_function_given_ ? cudaSuccess : wait_before(self, step);
    if (status == cudaSuccess && step.node != nullptr && step.node->enabled && !host_function_given_) {
      if (step.node->command.type == cudaGraphNodeTypeHost) {
        *has_host_function = host_function_given_ = true;
        return cudaSuccess;
      }
      const Attributed to_node(self, step.node->place);
      const Command& command = step.node->command;
      status =
          command.type == cudaGraphNodeTypeConditional
              ? launch_bodies(self, command.conditional, executable_->bodies.begin() + step.first_body, lane_of(step))
              : issue(self, command, lane_of(step));
    }
    host_function_given_ = false;
    if (status == cudaSuccess && step.recorded) status = record(self, lane_of(step), step.event);
    if (status != cudaSuccess) return status;
  }
  return finish(self);
}

/// The stream goes on after all of the graph.
cudaError_t GraphLaunch::finish(Client& self) {
  for (const Step& step : executable_->steps) {
    if (!step.is_last || step.lane == 0) continue;
    if (const cudaError_t status = wait(self, stream_, step.event); status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

void GraphLaunch::end(Client& self) {
  --executable_->launches;
  if (executable_->destroyed) destroy_executable(self, executable_);
}

}  // namespace cudalabs::vgpu::client
