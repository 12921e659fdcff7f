// Nodes are paired as they were made.
#include "vgpu/cudart/client/graph_update.h"

#include "vgpu/cudart/client/node_parameters.h"
#include "vgpu/cudart/client/user_objects.h"

namespace cudalabs::vgpu::client {
namespace {

void number_nodes(const Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) graph.nodes[i]->number = i;
}

/// Whether the two come after the same nodes, by their numbers.
bool have_same_dependencies(const Node& node, const Node& other) {
  for (const Node* before : other.before) {
    bool found = false;
    for (const Node* ours : node.before) found = found || ours->number == before->number;
    if (!found) return false;
  }
  return node.before.size() == other.before.size();
}

struct Difference {
  cudaGraphExecUpdateResult what = cudaGraphExecUpdateSuccess;
  Node* node = nullptr;  // of the graph
};

/// What keeps the graph's nodes from taking the places of these.
Difference difference(const Graph& ours, const Graph& theirs) {
  if (ours.nodes.size() != theirs.nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged, nullptr};
  number_nodes(ours);
  number_nodes(theirs);
  for (std::size_t i = 0; i < ours.nodes.size(); ++i) {
    const Node& node = *ours.nodes[i];
    Node* const other = theirs.nodes[i];
    if (!have_same_dependencies(node, *other)) return {cudaGraphExecUpdateErrorTopologyChanged, nullptr};
    if (node.command.type != other->command.type) return {cudaGraphExecUpdateErrorNodeTypeChanged, other};
    const Command &has = node.command, &gets = other->command;
    if (has.type == cudaGraphNodeTypeMemAlloc && has.allocation.dptr != gets.allocation.dptr)
      return {cudaGraphExecUpdateErrorNotSupported, other};
    if (has.type == cudaGraphNodeTypeConditional) return {cudaGraphExecUpdateErrorNotSupported, other};
    if (has.kernel.cooperative != gets.kernel.cooperative || has.kernel.cluster != gets.kernel.cluster)
      return {cudaGraphExecUpdateErrorAttributesChanged, other};
    if (has.child == nullptr) continue;
    const Difference inner = difference(*has.child, *gets.child);
    if (inner.what != cudaGraphExecUpdateSuccess) return inner;
  }
  return {};
}

}  // namespace

cudaError_t update(Executable& executable, const Graph& graph, cudaGraphExecUpdateResultInfo* result) {
  const Difference found = difference(*executable.graph, graph);
  *result = {found.what, found.node == nullptr ? nullptr : handle_of(found.node), nullptr};
  if (found.what != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = *executable.graph->nodes[i];
    const cudaError_t status = replace_command(node.command, graph.nodes[i]->command);
    if (status != cudaSuccess) return status;
    node.place = graph.nodes[i]->place;
  }
  return replace_references(*executable.graph, graph, last_stream_of(executable));
}

}  // namespace cudalabs::vgpu::client
