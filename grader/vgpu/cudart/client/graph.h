// Graphs of the CUDA runtime: nodes, the edges between them, and copies. All of it lives in the client; the server sees
// what is launched. While the client's lock is held.
#pragma once

#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/client/graph_command.h"

namespace cudalabs::vgpu::client {

struct Node {
  unsigned long long id = 0;      // never used again
  unsigned long long source = 0;  // of the node that it is a copy of; 0: of none
  Graph* graph = nullptr;
  Place place;
  Command command;
  bool enabled = true;
  Array<Node*> before, after;
  std::size_t number = 0;  // for who walks the graph
};

struct UserObject;
/// How often a graph keeps an object of the program alive.
struct UserReferences {
  UserObject* object = nullptr;
  std::uint64_t count = 0;
};

struct Graph {
  unsigned long long id = 0;
  unsigned long long source = 0;  // of the graph that it is a copy of
  bool internal = false;          // part of an executable graph: the program has no handle of it
  bool owned = false;             // by a child graph's node
  unsigned executables = 0;       // made of it, with memory of its own
  Array<Node*> nodes;
  Array<UserReferences> user_objects;
};

/// Null when memory is exhausted.
Graph* make_graph(bool internal = false);
void destroy_graph(Graph* graph);
cudaError_t clone_graph(const Graph& original, Graph** clone, bool internal = false);

/// Takes what the command owns, also when it fails: null when memory is exhausted.
Node* add_node(Graph& graph, Command& command, const Place& place);
void destroy_node(Node* node);
bool has_edge(const Node& from, const Node& to);
/// False when memory is exhausted.
bool add_edge(Node& from, Node& to);
void remove_edge(Node& from, Node& to);
/// Each after those it depends on, else as they were made. cudaErrorInvalidValue where they depend on each other.
cudaError_t sort_nodes(Graph& graph, Array<Node*>* sorted);
/// Marks what a set of nodes comes after, and the set, by number 1; all others by 0.
void mark_ancestors(Graph& graph, const Array<Node*>& of);
bool holds_memory_nodes(const Graph& graph);
bool contains(const Array<Node*>& nodes, const Node* node);

/// What a handle of the program stands for, or null.
Graph* graph_of(cudaGraph_t handle);
Node* node_of(cudaGraphNode_t handle);
/// One that the program may name, or null.
Graph* graph_with_id(unsigned long long id);
/// The same, of a node of this graph.
Node* node_of(const Graph& graph, cudaGraphNode_t handle);
inline cudaGraph_t handle_of(Graph* graph) {
  return reinterpret_cast<cudaGraph_t>(graph);
}
inline cudaGraphNode_t handle_of(Node* node) {
  return reinterpret_cast<cudaGraphNode_t>(node);
}

}  // namespace cudalabs::vgpu::client
