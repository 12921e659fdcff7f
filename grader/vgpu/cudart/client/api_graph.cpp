// The runtime API: graphs as wholes, their edges, and what is in them.
#include "vgpu/cudart/client/graph_of_call.h"

namespace cudalabs::vgpu::client {
namespace {

/// Gives as many nodes as the caller has room for; the places behind the last are null. Without places it only counts.
template <class NodeAt>
cudaError_t give_nodes(std::size_t count, cudaGraphNode_t* places, std::size_t* room, NodeAt&& node_at) {
  if (room == nullptr) return cudaErrorInvalidValue;
  if (places != nullptr) {
    for (std::size_t i = 0; i < *room; ++i) places[i] = i < count ? handle_of(node_at(i)) : nullptr;
  }
  if (places == nullptr || *room > count) *room = count;
  return cudaSuccess;
}

cudaError_t give_neighbours(const Array<Node*>& nodes, cudaGraphNode_t* places, cudaGraphEdgeData* edges,
                            std::size_t* room) {
  const cudaError_t status = give_nodes(nodes.size(), places, room, [&](std::size_t i) { return nodes[i]; });
  if (status == cudaSuccess && places != nullptr && edges != nullptr)
    for (std::size_t i = 0; i < *room; ++i) edges[i] = {};
  return status;
}

cudaError_t give_edges(const Graph& graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                       std::size_t* room) {
  if (room == nullptr || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
  std::size_t count = 0;
  for (Node* node : graph.nodes) {
    for (Node* after : node->after) {
      if (from != nullptr && count < *room) {
        from[count] = handle_of(node);
        to[count] = handle_of(after);
        if (edges != nullptr) edges[count] = {};
      }
      ++count;
    }
  }
  if (from != nullptr) {
    for (std::size_t i = count; i < *room; ++i) from[i] = to[i] = nullptr;
  }
  if (from == nullptr || *room > count) *room = count;
  return cudaSuccess;
}

/// `change(from, to)` for each edge, all of which are looked at by `allows` first.
template <class Allows, class Change>
cudaError_t change_edges(const Graph& graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count,
                         Allows&& allows, Change&& change) {
  if (count > 0 && (from == nullptr || to == nullptr)) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    const Node* const first = node_of(graph, from[i]);
    const Node* const second = node_of(graph, to[i]);
    if (first == nullptr || second == nullptr || first == second || !allows(*first, *second))
      return cudaErrorInvalidValue;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!change(*node_of(graph, from[i]), *node_of(graph, to[i]))) return cudaErrorMemoryAllocation;
  return cudaSuccess;
}

}  // namespace

CUDALABS_API cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return answer_here(wire::call("cudaGraphCreate"), call_site(), [&](Client&) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    Graph* const made = make_graph();
    if (made == nullptr) return cudaErrorMemoryAllocation;
    *graph = handle_of(made);
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return with_graph(wire::call("cudaGraphDestroy"), call_site(), handle, [](Client&, Graph& graph) {
    if (graph.owned || is_captured_to(graph)) return cudaErrorInvalidValue;
    destroy_graph(&graph);
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return with_graph(wire::call("cudaGraphClone"), call_site(), original, [&](Client& self, Graph& graph) {
    if (clone == nullptr) return cudaErrorInvalidValue;
    if (holds_memory_nodes(graph)) return refuse_memory_nodes(self);
    Graph* made = nullptr;
    const cudaError_t status = clone_graph(graph, &made);
    if (status == cudaSuccess) *clone = handle_of(made);
    return status;
  });
}

CUDALABS_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original, cudaGraph_t clone) {
  return with_graph(wire::call("cudaGraphNodeFindInClone"), call_site(), clone, [&](Client&, Graph& graph) {
    const Node* const node = node_of(original);
    Node* const copy = node == nullptr || found == nullptr ? nullptr : copy_of(graph, *node);
    if (copy == nullptr) return cudaErrorInvalidValue;
    *found = handle_of(copy);
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return with_node(wire::call("cudaGraphNodeGetType"), call_site(), handle, [&](Client&, Node& node) {
    if (type == nullptr) return cudaErrorInvalidValue;
    *type = node.command.type;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph(wire::call("cudaGraphGetNodes"), call_site(), handle, [&](Client&, Graph& graph) {
    return give_nodes(graph.nodes.size(), nodes, count, [&](std::size_t i) { return graph.nodes[i]; });
  });
}

CUDALABS_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph(wire::call("cudaGraphGetRootNodes"), call_site(), handle, [&](Client&, Graph& graph) {
    Array<Node*> roots;
    bool has_room = true;
    for (Node* node : graph.nodes)
      if (node->before.size() == 0) has_room = roots.push(node) && has_room;
    const cudaError_t status = has_room
                                   ? give_nodes(roots.size(), nodes, count, [&](std::size_t i) { return roots[i]; })
                                   : cudaErrorMemoryAllocation;
    roots.clear();
    return status;
  });
}

CUDALABS_API cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                           cudaGraphEdgeData* edges, size_t* count) {
  return with_graph(wire::call("cudaGraphGetEdges"), call_site(), handle,
                    [&](Client&, Graph& graph) { return give_edges(graph, from, to, edges, count); });
}

CUDALABS_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* dependencies,
                                                      cudaGraphEdgeData* edges, size_t* count) {
  return with_node(wire::call("cudaGraphNodeGetDependencies"), call_site(), handle,
                   [&](Client&, Node& node) { return give_neighbours(node.before, dependencies, edges, count); });
}

CUDALABS_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* dependents,
                                                        cudaGraphEdgeData* edges, size_t* count) {
  return with_node(wire::call("cudaGraphNodeGetDependentNodes"), call_site(), handle,
                   [&](Client&, Node& node) { return give_neighbours(node.after, dependents, edges, count); });
}

// What edges' data say, that a kernel may begin before the one in front has ended, is also kept by one that does not.
CUDALABS_API cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                                  const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {
  return with_graph(wire::call("cudaGraphAddDependencies"), call_site(), handle, [&](Client&, Graph& graph) {
    return change_edges(
        graph, from, to, count, [](const Node& first, const Node& second) { return !has_edge(first, second); },
        [](Node& first, Node& second) { return has_edge(first, second) || add_edge(first, second); });
  });
}

CUDALABS_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                                     size_t count) {
  return with_graph(wire::call("cudaGraphRemoveDependencies"), call_site(), handle, [&](Client& self, Graph& graph) {
    if (holds_memory_nodes(graph)) return refuse_memory_nodes(self);
    return change_edges(
        graph, from, to, count, [](const Node& first, const Node& second) { return has_edge(first, second); },
        [](Node& first, Node& second) {
          remove_edge(first, second);
          return true;
        });
  });
}

CUDALABS_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return with_node(wire::call("cudaGraphDestroyNode"), call_site(), handle, [](Client& self, Node& node) {
    if (holds_memory_nodes(*node.graph)) return refuse_memory_nodes(self);
    destroy_node(&node);
    return cudaSuccess;
  });
}

}  // namespace cudalabs::vgpu::client
