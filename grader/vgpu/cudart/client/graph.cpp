// Graphs as data.
#include "vgpu/cudart/client/graph.h"

#include "vgpu/cudart/client/capture.h"
#include "vgpu/cudart/client/heap_object.h"
#include "vgpu/cudart/client/user_objects.h"

namespace cudalabs::vgpu::client {
namespace {

constinit Array<Graph*> graphs;  // those that the program may name
constinit unsigned long long last_id = 0;

void discard_node(Node* node) {
  forget_captured(node);
  clear(node->command);
  node->before.clear();
  node->after.clear();
  discard(node);
}

void erase(Array<Node*>& nodes, const Node* node) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] != node) continue;
    nodes.erase(i);
    return;
  }
}

}  // namespace

Graph* make_graph(bool internal) {
  Graph* const graph = make<Graph>();
  if (graph == nullptr) return nullptr;
  graph->id = ++last_id;
  graph->internal = internal;
  if (internal || graphs.push(graph)) return graph;
  discard(graph);
  return nullptr;
}

void destroy_graph(Graph* graph) {
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    if (graphs[i] != graph) continue;
    graphs.erase(i);
    break;
  }
  release_references(*graph);
  for (Node* node : graph->nodes) discard_node(node);
  graph->nodes.clear();
  discard(graph);
}

cudaError_t clone_graph(const Graph& original, Graph** clone, bool internal) {
  Graph* const copy = make_graph(internal);
  if (copy == nullptr) return cudaErrorMemoryAllocation;
  copy->source = original.id;
  cudaError_t status = copy_references(original, copy);
  for (std::size_t i = 0; i < original.nodes.size() && status == cudaSuccess; ++i) {
    Node& from = *original.nodes[i];
    from.number = i;
    Command command;
    status = copy_command(from.command, &command, internal);
    if (status != cudaSuccess) {
      clear(command);
      break;
    }
    Node* const to = add_node(*copy, command, from.place);
    if (to == nullptr) {
      status = cudaErrorMemoryAllocation;
      break;
    }
    to->source = from.id;
    to->enabled = from.enabled;
  }
  for (std::size_t i = 0; i < original.nodes.size() && status == cudaSuccess; ++i) {
    for (const Node* before : original.nodes[i]->before) {
      if (!add_edge(*copy->nodes[before->number], *copy->nodes[i])) status = cudaErrorMemoryAllocation;
    }
  }
  if (status == cudaSuccess) {
    *clone = copy;
  } else {
    destroy_graph(copy);
  }
  return status;
}

Node* add_node(Graph& graph, Command& command, const Place& place) {
  Node* const node = make<Node>();
  if (node == nullptr || !graph.nodes.push(node)) {
    discard(node);
    clear(command);
    return nullptr;
  }
  node->id = ++last_id;
  node->graph = &graph;
  node->place = place;
  node->command = command;
  if (command.child != nullptr) command.child->owned = true;
  command = Command{};
  return node;
}

void destroy_node(Node* node) {
  while (node->before.size() > 0) remove_edge(*node->before[0], *node);
  while (node->after.size() > 0) remove_edge(*node, *node->after[0]);
  erase(node->graph->nodes, node);
  discard_node(node);
}

bool contains(const Array<Node*>& nodes, const Node* node) {
  // What is asked for is mostly among the last.
  for (std::size_t i = nodes.size(); i > 0; --i)
    if (nodes[i - 1] == node) return true;
  return false;
}

bool has_edge(const Node& from, const Node& to) {
  return contains(to.before, &from);
}

bool add_edge(Node& from, Node& to) {
  if (!from.after.push(&to)) return false;
  if (to.before.push(&from)) return true;
  from.after.erase(from.after.size() - 1);
  return false;
}

void remove_edge(Node& from, Node& to) {
  erase(from.after, &to);
  erase(to.before, &from);
}

cudaError_t sort_nodes(Graph& graph, Array<Node*>* sorted) {
  for (Node* node : graph.nodes) node->number = node->before.size();
  for (Node* node : graph.nodes)
    if (node->number == 0 && !sorted->push(node)) return cudaErrorMemoryAllocation;
  // Host functions come when nothing else can: the launch waits for them.
  for (std::size_t next = 0; next < sorted->size(); ++next) {
    for (std::size_t other = next; other < sorted->size(); ++other) {
      if ((*sorted)[other]->command.type == cudaGraphNodeTypeHost) continue;
      Node* const node = (*sorted)[other];
      for (std::size_t i = other; i > next; --i) (*sorted)[i] = (*sorted)[i - 1];
      (*sorted)[next] = node;
      break;
    }
    for (Node* after : (*sorted)[next]->after)
      if (--after->number == 0 && !sorted->push(after)) return cudaErrorMemoryAllocation;
  }
  return sorted->size() == graph.nodes.size() ? cudaSuccess : cudaErrorInvalidValue;
}

void mark_ancestors(Graph& graph, const Array<Node*>& of) {
  for (Node* node : graph.nodes) node->number = 0;
  Array<Node*> left;
  for (Node* node : of) left.push(node);
  while (left.size() > 0) {
    Node* const node = left[left.size() - 1];
    left.erase(left.size() - 1);
    if (node->number == 1) continue;
    node->number = 1;
    for (Node* before : node->before) left.push(before);
  }
  left.clear();
}

bool holds_memory_nodes(const Graph& graph) {
  for (const Node* node : graph.nodes) {
    const Command& command = node->command;
    if (command.type == cudaGraphNodeTypeMemAlloc || command.type == cudaGraphNodeTypeMemFree ||
        (command.child != nullptr && holds_memory_nodes(*command.child)))
      return true;
    for (unsigned i = 0; i < command.conditional.count; ++i)
      if (holds_memory_nodes(*command.conditional.bodies[i])) return true;
  }
  return false;
}

Graph* graph_of(cudaGraph_t handle) {
  for (Graph* graph : graphs)
    if (handle_of(graph) == handle) return graph;
  return nullptr;
}

Graph* graph_with_id(unsigned long long id) {
  for (Graph* graph : graphs)
    if (graph->id == id) return graph;
  return nullptr;
}

Node* node_of(const Graph& graph, cudaGraphNode_t handle) {
  for (std::size_t i = graph.nodes.size(); i > 0; --i)
    if (handle_of(graph.nodes[i - 1]) == handle) return graph.nodes[i - 1];
  return nullptr;
}

Node* node_of(cudaGraphNode_t handle) {
  for (const Graph* graph : graphs)
    if (Node* const node = node_of(*graph, handle)) return node;
  return nullptr;
}

}  // namespace cudalabs::vgpu::client
